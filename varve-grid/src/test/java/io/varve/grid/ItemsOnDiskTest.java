package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Store;
import io.varve.grid.Clients.Rest;
import io.varve.grid.backup.RestoredNode;
import io.varve.grid.items.ItemStore;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// Where the items of a node are: through kills, stops, backups, and with a key.
@Tag("slow")
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
class ItemsOnDiskTest {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static final int KILLS = Integer.getInteger("varve.items.kills", 1);

  @TempDir Path directory;

  private static HttpResponse<String> send(int port, String method, String path, String body)
      throws IOException, InterruptedException {
    String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
    return HTTP.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/rest/v2/" + path))
            .method(method, BodyPublishers.ofString(body))
            .header("Content-Type", type)
            .build(),
        BodyHandlers.ofString(UTF_8));
  }

  private static String get(int port, String path) throws Exception {
    return send(port, "GET", "varve/items/" + path, "").body();
  }

  private static void put(int port, String path, String json) throws Exception {
    HttpResponse<String> put = send(port, "PUT", "varve/items/" + path, json);
    assertThat(put.statusCode()).as(put.body()).isBetween(200, 201);
  }

  private static Path backUp(Path data, int port) throws Exception {
    HttpResponse<String> made =
        send(port, "POST", "tasks/@@varve@backup?action=exec&param.name=nightly", "");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    try (Stream<Path> nodes = Files.list(data.resolve("backups").resolve("nightly"))) {
      return nodes.findFirst().orElseThrow();
    }
  }

  @Test
  void aStoreIsMadeByTheFirstItem() throws Exception {
    Path data = directory.resolve("node");
    Path items = data.resolve(ItemStore.DIRECTORY);
    try (Node node = Serving.node(data)) {
      assertThat(get(node.port(), "people/Ada")).contains("no items");
      assertThat(get(node.port(), "")).isEqualTo("[]");
      assertThat(send(node.port(), "DELETE", "varve/items/people", "").statusCode()).isEqualTo(404);
      assertThat(items).doesNotExist();
      put(node.port(), "people/Ada", "{\"age\":36}");
      assertThat(items).isDirectory();
    }
    try (Store store = Store.open(items)) {
      store.verify().requireSound();
      assertThat(store.items("people").count()).isOne();
    }
    try (Node node = Serving.node(data)) {
      assertThat(get(node.port(), "people/Ada")).isEqualTo("{\"age\":36}");
    }
  }

  @Test
  void aNodeThatKeepsNothingHasItsItemsInMemory() throws Exception {
    Path data = directory.resolve("node");
    try (Node node = Serving.node(data, "--durability", "NONE")) {
      put(node.port(), "people/Ada", "{\"age\":36}");
      assertThat(get(node.port(), "people/Ada")).isEqualTo("{\"age\":36}");
    }
    assertThat(data.resolve(ItemStore.DIRECTORY)).doesNotExist();
  }

  /// Writers each put one number after the other, twice in one value, until the node is killed.
  @Test
  void aKillLosesNothingThatWasAnswered() throws Exception {
    Path data = directory.resolve("node");
    int writers = 4;
    for (int kill = 0; kill < KILLS; kill++) {
      int[] answered = new int[writers];
      List<Future<Void>> all = new ArrayList<>();
      AtomicInteger total = new AtomicInteger();
      try (ServeProcess node = ServeProcess.start(data);
          ExecutorService threads = Executors.newFixedThreadPool(writers)) {
        for (int writer = 0; writer < writers; writer++) {
          int number = writer;
          Callable<Void> work =
              () -> {
                for (int next = 1; ; next++) {
                  String body = "{\"w%d\":{\"a\":%d,\"b\":%d}}".formatted(number, next, next);
                  try {
                    int status = send(node.port(), "PATCH", "varve/items/kill", body).statusCode();
                    assertThat(status).isBetween(200, 201);
                  } catch (IOException e) {
                    return null; // the node is dead
                  }
                  answered[number] = next;
                  total.incrementAndGet();
                }
              };
          all.add(threads.submit(work));
        }
        while (total.get() < 200 * (kill + 1) && all.stream().noneMatch(Future::isDone)) {
          Thread.onSpinWait();
        }
        node.kill();
        for (Future<Void> one : all) {
          one.get();
        }
      }
      try (ServeProcess node = ServeProcess.start(data)) {
        for (int writer = 0; writer < writers; writer++) {
          int a = Integer.parseInt(get(node.port(), "kill/w" + writer + "/a"));
          assertThat(a).isBetween(answered[writer], answered[writer] + 1);
          assertThat(get(node.port(), "kill/w" + writer + "/b")).isEqualTo("" + a);
        }
      }
    }
  }

  /// A writer puts a number, first to one prefix and then to another, while a backup is made.
  @Test
  void aBackupHasOnePointOfItems() throws Exception {
    Path data = directory.resolve("node");
    Path backup;
    int before;
    int after;
    try (Node node = Serving.node(data, "--durability", "PROCESS_CRASH");
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      AtomicInteger written = new AtomicInteger();
      AtomicInteger ends = new AtomicInteger();
      Callable<Void> writer =
          () -> {
            for (int next = 1; ends.get() == 0; next++) {
              put(node.port(), "first/n", "" + next);
              put(node.port(), "second/n", "" + next);
              written.set(next);
            }
            return null;
          };
      Future<Void> work = threads.submit(writer);
      while (written.get() < 50 && !work.isDone()) {
        Thread.onSpinWait();
      }
      before = written.get();
      backup = backUp(data, node.port());
      after = written.get() + 1;
      ends.set(1);
      work.get();
    }
    Path restored = directory.resolve("restored");
    int stores = RestoredNode.make(backup, restored, null).stores();
    assertThat(stores).isEqualTo(3); // of two caches, and of the items
    try (Node node = Serving.node(restored)) {
      int first = Integer.parseInt(get(node.port(), "first/n"));
      int second = Integer.parseInt(get(node.port(), "second/n"));
      assertThat(second).isBetween(before, after);
      assertThat(first).isBetween(second, second + 1);
    }
  }

  @Test
  void aNodeOfAClusterRefusesItemsAndLeavesThem() throws Exception {
    Path data = directory.resolve("node");
    try (Node node = Serving.node(data)) {
      put(node.port(), "people/Ada", "{\"age\":36}");
    }
    var guarded = new Guarded(directory);
    try (Node node =
            guarded.node(data, "--cluster=items", "--cluster-port=" + Serving.freeClusterPort());
        Rest rest = guarded.rest(node)) {
      for (String method : new String[] {"GET", "PUT", "DELETE"}) {
        HttpResponse<String> answer =
            rest.send(
                HttpRequest.newBuilder(rest.node().resolve("/rest/v2/varve/items/people/Ada"))
                    .method(method, BodyPublishers.ofString("{}"))
                    .header("Content-Type", "application/json")
                    .build());
        assertThat(answer.statusCode()).isEqualTo(501);
        assertThat(answer.body()).contains("cluster");
      }
    }
    try (Store store = Store.open(data.resolve(ItemStore.DIRECTORY))) {
      assertThat(store.items("people").count()).isOne();
    }
  }

  @Test
  void aKeyEncryptsItems() throws Exception {
    Path data = directory.resolve("node");
    Path keyFile = Files.writeString(directory.resolve("node.key"), "5a".repeat(32) + "\n");
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
    String option = "--key-file=" + keyFile;
    try (Node node = Serving.node(data, option)) {
      put(node.port(), "patients/name-of-a-patient", "\"what-the-patient-has\"");
      backUp(data, node.port());
    }
    try (Stream<Path> all = Files.walk(data)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), ISO_8859_1))
            .as(file.toString())
            .doesNotContain("name-of-a-patient", "what-the-patient-has");
      }
    }
    Path other = Files.createDirectory(directory.resolve("other"));
    Path items = data.resolve(ItemStore.DIRECTORY);
    Files.move(items, other.resolve(ItemStore.DIRECTORY));
    assertThatThrownBy(() -> Serving.node(other))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("key");
    Files.move(other.resolve(ItemStore.DIRECTORY), items);
    try (Node node = Serving.node(data, option)) {
      assertThat(get(node.port(), "patients/name-of-a-patient"))
          .isEqualTo("\"what-the-patient-has\"");
    }
  }
}
