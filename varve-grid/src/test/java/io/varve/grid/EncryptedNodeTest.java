package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.Clients.Rest;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// A node whose stores are encrypted: on its disk and in its backups no entry is in clear.
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
class EncryptedNodeTest {
  private static final String KEY = "name-of-a-patient";
  private static final String VALUE = "what-the-patient-has";
  private static final String ENCODING =
      "\"encoding\":{\"media-type\":\"application/x-protostream\"}";

  @TempDir Path directory;
  private Path data;
  private Path keyFile;

  @BeforeEach
  void writeKey() throws IOException {
    data = directory.resolve("node");
    keyFile = Files.writeString(directory.resolve("node.key"), "5a".repeat(32) + "\n");
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
  }

  private static HttpResponse<String> post(Rest rest, String path, String json) throws Exception {
    return rest.send(
        HttpRequest.newBuilder(rest.node().resolve("/rest/v2/" + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json))
            .build());
  }

  private static void put(Rest rest, String cache) throws Exception {
    HttpResponse<String> put =
        rest.send(
            HttpRequest.newBuilder(rest.node().resolve("/rest/v2/caches/" + cache + "/" + KEY))
                .header("Content-Type", "text/plain")
                .PUT(BodyPublishers.ofString(VALUE))
                .build());
    assertThat(put.statusCode()).as(put.body()).isEqualTo(204);
  }

  private static String get(Rest rest, String cache) throws Exception {
    return rest.send(
            HttpRequest.newBuilder(rest.node().resolve("/rest/v2/caches/" + cache + "/" + KEY))
                .header("Accept", "text/plain")
                .build())
        .body();
  }

  private static void requireNothingInClear(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), ISO_8859_1))
            .as(file.toString())
            .doesNotContain(KEY, VALUE);
      }
    }
  }

  private String restore(Path backup, Path target, String... more) {
    var said = new StringWriter();
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(said));
    line.setErr(new PrintWriter(said));
    line.execute(
        Stream.concat(
                Stream.of("node", "restore", backup.toString(), "--data=" + target),
                Stream.of(more))
            .toArray(String[]::new));
    return said.toString();
  }

  @Test
  void neitherNodeNorBackupHoldsAnEntryInClear() throws Exception {
    String option = "--key-file=" + keyFile;
    try (Node node = Serving.node(data, option);
        Rest rest = Rest.of(node.port())) {
      assertThat(post(rest, "caches/patients?template=varve", "").statusCode()).isEqualTo(200);
      // Of a store that a client defines, without a word of a key.
      assertThat(post(rest, "caches/others", definition("")).statusCode()).isEqualTo(200);
      for (String cache : new String[] {"default", "patients", "others"}) {
        put(rest, cache);
      }
      requireIndexInClearIsRefused(rest);
      assertThat(post(rest, "tasks/@@varve@backup?action=exec&param.name=nightly", "").body())
          .contains("nightly");
    }
    requireNothingInClear(data);
    try (Node node = Serving.node(data, option);
        Rest rest = Rest.of(node.port())) {
      for (String cache : new String[] {"default", "patients", "others"}) {
        assertThat(get(rest, cache)).as(cache).isEqualTo(VALUE);
      }
    }
    assertThatThrownBy(() -> Serving.node(data))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("key");
    requireRestorable(option);
  }

  /// Lucene's files would contain what the store encrypts. The node starts after the refusal.
  private static void requireIndexInClearIsRefused(Rest rest) throws Exception {
    String schema =
        "syntax = \"proto2\"; /** @Indexed */ message Book { /** @Text */ optional string t = 1; }";
    assertThat(
            rest.send(
                    HttpRequest.newBuilder(rest.node().resolve("/rest/v2/schemas/book.proto"))
                        .POST(BodyPublishers.ofString(schema))
                        .build())
                .statusCode())
        .isEqualTo(200);
    String filed = definition(indexing("filesystem"));
    for (String inClear :
        new String[] {
          filed,
          filed.replace("PROCESS_CRASH", "NONE"), // The entries are in memory, the index is not.
          "{\"local-cache\":{" + indexing("filesystem") + ENCODING + "}}"
        }) {
      HttpResponse<String> refused = post(rest, "caches/filed", inClear);
      assertThat(refused.statusCode()).as(refused.body()).isNotEqualTo(200);
      assertThat(refused.body()).contains("local-heap");
    }
    assertThat(post(rest, "caches/filed", "{\"local-cache\":{" + ENCODING + "}}").statusCode())
        .as("the name is free")
        .isEqualTo(200);
    HttpResponse<String> heaped = post(rest, "caches/heaped", definition(indexing("local-heap")));
    assertThat(heaped.statusCode()).as(heaped.body()).isEqualTo(200);
  }

  private static String indexing(String storage) {
    return "\"indexing\":{\"storage\":\"" + storage + "\",\"indexed-entities\":[\"Book\"]},";
  }

  private static String definition(String indexing) {
    return "{\"local-cache\":{"
        + indexing
        + ENCODING
        + ",\"persistence\":{\"varve-store\":{\"durability\":\"PROCESS_CRASH\"}}}}";
  }

  private void requireRestorable(String option) throws Exception {
    Path backup;
    try (Stream<Path> made = Files.list(data.resolve("backups/nightly"))) {
      backup = made.findFirst().orElseThrow();
    }
    Path restored = directory.resolve("restored");
    assertThat(restore(backup, restored)).contains("--key-file");
    assertThat(restored).doesNotExist();
    assertThat(restore(backup, restored, option)).contains("restored: stores=");
    try (Node node = Serving.node(restored, option);
        Rest rest = Rest.of(node.port())) {
      assertThat(get(rest, "patients")).isEqualTo(VALUE);
    }
  }

  /// It would be a store of two kinds: what was there before, and what is put from now on.
  @Test
  void aNodeInClearIsNotEncryptedLater() throws Exception {
    try (Node node = Serving.node(data);
        Rest rest = Rest.of(node.port())) {
      put(rest, "default");
    }
    assertThatThrownBy(() -> Serving.node(data, "--key-file=" + keyFile))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("key");
    try (Node node = Serving.node(data);
        Rest rest = Rest.of(node.port())) {
      assertThat(get(rest, "default")).isEqualTo(VALUE);
    }
  }
}
