package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// The directory of a node of each release is started by the newest, as it is: entries of all kinds
/// of caches, definitions, schemas, counters and users are there.
@Timeout(300)
class EarlierReleaseTest {
  private static final int ENTRIES = 300;
  private static final String SCHEMA = "/** shop */ message Order { optional string what = 1; }";

  @TempDir Path directory;

  /// A client of REST.
  private record Client(HttpClient http, int port) implements AutoCloseable {
    HttpResponse<String> send(String method, String path, String type, String body)
        throws IOException, InterruptedException {
      return http.send(
          HttpRequest.newBuilder(URI.create("http://" + Clients.HOST + ":" + port + path))
              .header("Content-Type", type)
              .header("Accept", type)
              .method(
                  method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
              .build(),
          BodyHandlers.ofString());
    }

    void change(String method, String path, String type, String body) throws Exception {
      HttpResponse<String> answer = send(method, path, type, body);
      assertThat(answer.statusCode()).as(path + ": " + answer.body()).isBetween(200, 204);
    }

    String get(String path, String type) throws Exception {
      return send("GET", path, type, "").body();
    }

    @Override
    public void close() {
      http.close();
    }
  }

  private static Client client(Node node) {
    return new Client(HttpClient.newHttpClient(), node.port());
  }

  /// As it was after a stop.
  @Test
  void aNodeThatWasStoppedByTheFirstReleaseStarts() throws Exception {
    unpack("node-0.1.zip");
    requireAll(directory.resolve("node"));
  }

  /// As it was at some time of its life.
  @Test
  void aBackupOfTheFirstReleaseStarts() throws Exception {
    unpack("node-0.1.zip");
    try (Stream<Path> backups = Files.list(directory.resolve("node/backups/kept"))) {
      requireAll(backups.findFirst().orElseThrow());
    }
  }

  private static void requireAll(Path data) throws Exception {
    assertThat(new Users(NodeDirectory.configuration(data)).names()).containsExactly("alice");
    try (Node node = Serving.node(data, "--no-users");
        Client client = client(node)) {
      for (int entry = 0; entry < ENTRIES; entry++) {
        assertThat(client.get("/rest/v2/caches/default/e" + entry, "text/plain"))
            .isEqualTo(value(entry));
      }
      assertThat(client.get("/rest/v2/caches/orders/o1", "application/json"))
          .contains("\"what\":\"books\"");
      assertThat(client.get("/rest/v2/counters/visits", "text/plain")).isEqualTo("42");
      assertThat(client.get("/rest/v2/schemas/shop.proto", "text/plain")).isEqualTo(SCHEMA);
      client.change("PUT", "/rest/v2/caches/default/new", "text/plain", "x");
    }
    try (Node node = Serving.node(data, "--no-users");
        Client client = client(node)) {
      assertThat(client.get("/rest/v2/caches/default/new", "text/plain")).isEqualTo("x");
    }
  }

  private static String value(int entry) {
    return ("value " + entry + " ").repeat(entry % 40 + 1);
  }

  /// Makes what a release leaves to the next ones: `-Dvarve.grid.release=node-0.2.zip`.
  @Test
  @EnabledIfSystemProperty(named = "varve.grid.release", matches = ".+")
  void aReleaseLeavesItsFiles() throws Exception {
    Path data = directory.resolve("node");
    new Users(NodeDirectory.configuration(data)).set("alice", "secret", Role.ADMIN);
    try (Node node = Serving.node(data, "--no-users");
        Client client = client(node)) {
      client.change("POST", "/rest/v2/schemas/shop.proto", "text/plain", SCHEMA);
      client.change("POST", "/rest/v2/caches/orders?template=varve", "text/plain", "");
      client.change(
          "PUT",
          "/rest/v2/caches/orders/o1",
          "application/json",
          "{\"_type\": \"Order\", \"what\": \"books\"}");
      for (int entry = 0; entry < ENTRIES; entry++) {
        client.change("PUT", "/rest/v2/caches/default/e" + entry, "text/plain", value(entry));
      }
      client.change(
          "POST",
          "/rest/v2/counters/visits",
          "application/json",
          "{\"strong-counter\":{\"initial-value\":42,\"storage\":\"PERSISTENT\"}}");
      client.change(
          "POST",
          "/rest/v2/tasks/@@varve@backup?action=exec&param.name=kept",
          "application/json",
          "");
    }
    pack(Path.of(System.getProperty("varve.grid.release")));
  }

  private void pack(Path file) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file));
        Stream<Path> files = Files.walk(directory.resolve("node"))) {
      zip.setLevel(Deflater.BEST_COMPRESSION);
      for (Path path : files.filter(Files::isRegularFile).sorted().toList()) {
        zip.putNextEntry(new ZipEntry(directory.relativize(path).toString().replace('\\', '/')));
        Files.copy(path, zip);
      }
    }
  }

  private void unpack(String resource) throws IOException {
    try (InputStream in = EarlierReleaseTest.class.getResourceAsStream("/" + resource);
        ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(in, resource))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = directory.resolve(entry.getName());
        Files.createDirectories(Objects.requireNonNull(file.getParent(), "below the directory"));
        Files.copy(zip, file);
      }
    }
  }
}
