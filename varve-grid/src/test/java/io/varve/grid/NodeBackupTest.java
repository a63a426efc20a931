package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Store;
import io.varve.grid.Clients.Rest;
import io.varve.grid.node.Node;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// A backup of all nodes while clients write, and nodes that are started with it: they have one
/// point of all caches, after all that was answered before the call and before all that began after
/// its return. The nodes have users and TLS.
@Tag("slow")
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
class NodeBackupTest {
  private static final int WRITERS = 8;
  private static final String[] CACHES = {"default", "memcached"};

  @TempDir Path directory;
  private final List<Node> nodes = new ArrayList<>();
  private Guarded guarded;

  @BeforeEach
  void makeKeys() {
    guarded = new Guarded(directory);
  }

  @AfterEach
  void stop() throws IOException {
    for (Node node : nodes) {
      node.close();
    }
  }

  /// Writes one number after the other, each first to one cache and then to another.
  private static final class Writer implements Callable<Void> {
    private final int number;
    private final Rest client;
    private final AtomicBoolean ends = new AtomicBoolean();
    private volatile int begun;
    private volatile int answered;
    private int answeredBefore;
    private int begunAfter;

    Writer(int number, Rest client) {
      this.number = number;
      this.client = client;
    }

    @Override
    public Void call() throws Exception {
      try (Rest rest = client) {
        while (!ends.get()) {
          begun++;
          put(rest, CACHES[0]);
          put(rest, CACHES[1]);
          answered++;
        }
      }
      return null;
    }

    private void put(Rest rest, String cache) throws Exception {
      HttpResponse<String> put =
          rest.send(
              HttpRequest.newBuilder(rest.node().resolve(path(cache)))
                  .header("Content-Type", "text/plain")
                  .PUT(HttpRequest.BodyPublishers.ofString(Integer.toString(begun)))
                  .build());
      assertThat(put.statusCode()).as(put.body()).isEqualTo(204);
    }

    String path(String cache) {
      return "/rest/v2/caches/" + cache + "/w" + number;
    }
  }

  private Node start(String name, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("--durability=PROCESS_CRASH");
    Node node = guarded.node(directory.resolve(name), all.toArray(String[]::new));
    nodes.add(node);
    return node;
  }

  private static HttpResponse<String> post(Rest rest, String path, String body) throws Exception {
    return rest.send(
        HttpRequest.newBuilder(rest.node().resolve("/rest/v2/" + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  private static HttpResponse<String> backup(Rest rest, String name) throws Exception {
    return post(rest, "tasks/@@varve@backup?action=exec&param.name=" + name, "");
  }

  @Test
  void aNodeThatIsStartedWithABackupHasOnePoint() throws Exception {
    Node node = start("node");
    List<Writer> writers = new ArrayList<>();
    try (Rest rest = guarded.rest(node)) {
      HttpResponse<String> made = post(rest, "caches/orders?template=varve", "");
      assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
      String counter = "{\"strong-counter\":{\"initial-value\":41,\"storage\":\"PERSISTENT\"}}";
      assertThat(post(rest, "counters/visits", counter).statusCode()).isEqualTo(200);
      assertThat(post(rest, "counters/visits?action=increment", "").body()).isEqualTo("42");
      writers.addAll(backUpWhileTheyWrite(List.of(node)));
      assertThat(backup(rest, "nightly").body()).contains("there is a backup of that name");
      assertThat(backup(rest, "%2e%2e").statusCode()).isNotEqualTo(200);
    }
    copy(backupOf("node"), directory.resolve("restored"));
    try (Rest rest = guarded.rest(start("restored"))) {
      for (Writer writer : writers) {
        int first = read(rest, writer.path(CACHES[0]));
        int second = read(rest, writer.path(CACHES[1]));
        assertThat(second)
            .as("writer %s", writer.number)
            .isBetween(writer.answeredBefore, writer.begunAfter);
        assertThat(first).as("one point of both caches").isBetween(second, second + 1);
      }
      assertThat(read(rest, "/rest/v2/counters/visits")).isEqualTo(42);
      HttpRequest orders =
          HttpRequest.newBuilder(rest.node().resolve("/rest/v2/caches/orders")).build();
      assertThat(rest.send(orders).statusCode()).isEqualTo(200);
    }
  }

  /// Both own each entry, and have the same of it: no write is in one backup alone.
  @Test
  void nodesOfAClusterHaveTheSamePoint() throws Exception {
    for (int number = 0; number < 2; number++) {
      start(
          "node" + number,
          "--cluster=backup",
          "--discovery=file:" + directory.resolve("members"),
          "--cluster-port=" + Serving.freeClusterPort());
    }
    try (Rest rest = guarded.rest(nodes.getFirst())) {
      HttpResponse<String> made = post(rest, "caches/orders?template=varve", "");
      assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    }
    backUpWhileTheyWrite(nodes);
    for (String cache : CACHES) {
      Map<String, String> first = entries(backupOf("node0"), cache);
      assertThat(first).hasSize(WRITERS);
      assertThat(entries(backupOf("node1"), cache)).isEqualTo(first);
    }
  }

  private static Map<String, String> entries(Path node, String cache) {
    Map<String, String> entries = new HashMap<>();
    try (Store store = Store.open(node.resolve("data").resolve(cache).resolve("varve"));
        Cursor cursor = store.space("entries").cursor(Range.all())) {
      store.verify().requireSound();
      while (cursor.next()) {
        entries.put(
            HexFormat.of().formatHex(cursor.key()), HexFormat.of().formatHex(cursor.value()));
      }
    }
    return entries;
  }

  /// Has the first of some nodes make a backup while clients of all write.
  private List<Writer> backUpWhileTheyWrite(List<Node> running) throws Exception {
    List<Writer> writers = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool();
        Rest rest = guarded.rest(running.getFirst())) {
      List<Future<Void>> writing = new ArrayList<>();
      for (int number = 0; number < WRITERS; number++) {
        Writer writer = new Writer(number, guarded.rest(running.get(number % running.size())));
        writers.add(writer);
        writing.add(threads.submit(writer));
      }
      while (writers.stream().anyMatch(writer -> writer.answered < 20)) {
        Thread.onSpinWait();
      }
      writers.forEach(writer -> writer.answeredBefore = writer.answered);
      HttpResponse<String> answer = backup(rest, "nightly");
      writers.forEach(writer -> writer.begunAfter = writer.begun);
      writers.forEach(writer -> writer.ends.set(true));
      for (Future<Void> writer : writing) {
        writer.get();
      }
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(answer.body()).contains("backup nightly");
    }
    return writers;
  }

  private static int read(Rest rest, String path) throws Exception {
    HttpResponse<String> entry =
        rest.send(
            HttpRequest.newBuilder(rest.node().resolve(path))
                .header("Accept", "text/plain")
                .build());
    assertThat(entry.statusCode()).as(path + entry.body()).isEqualTo(200);
    return Integer.parseInt(entry.body());
  }

  /// The directory of the backup that a node has made.
  private Path backupOf(String name) throws IOException {
    Path backups = directory.resolve(name).resolve("backups").resolve("nightly");
    try (Stream<Path> found = Files.list(backups)) {
      return found.findFirst().orElseThrow();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }
}
