package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.grid.Clients.Rest;
import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.node.CacheContainer;
import io.varve.grid.node.Node;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.infinispan.container.impl.InternalDataContainer;
import org.infinispan.factories.ComponentRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What clients of two nodes of a cluster see of each other, with users and TLS.
@Timeout(300)
class ClusterClientsTest {
  private static final List<Node> NODES = new ArrayList<>();

  @TempDir static Path directory;

  private static Guarded guarded;

  @BeforeAll
  static void start() {
    guarded = new Guarded(directory);
    for (int number = 0; number < 2; number++) {
      NODES.add(
          guarded.node(
              directory.resolve("node-" + number),
              "--durability=BACKGROUND",
              "--cluster=clients",
              "--discovery=file:" + directory.resolve("members"),
              "--cluster-port=" + Serving.freeClusterPort()));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    for (Node node : NODES) {
      node.close();
    }
  }

  /// Keys of both owners, so that the write is carried out on either node.
  @Test
  void aWatchSeesWhatClientsOfAnotherNodeChange() throws Exception {
    try (RawResp first = guarded.resp(NODES.getFirst());
        RawResp second = guarded.resp(NODES.getLast())) {
      for (int key = 0; key < 4; key++) {
        String list = "list" + key;
        assertThat(second.call("RPUSH", list, "a")).isEqualTo(":1 ");
        assertThat(first.call("WATCH", list)).isEqualTo("+OK ");
        assertThat(second.call("RPUSH", list, "b")).isEqualTo(":2 ");
        first.call("MULTI");
        first.call("RPUSH", list, "c");
        assertThat(first.call("EXEC")).isEqualTo("*-1 ");
        assertThat(first.call("LLEN", list)).isEqualTo(":2 ");
      }
    }
  }

  /// PATTERNS-1: messages whose owner either node is.
  @Test
  void patternsBringWhatClientsOfAnyNodePublish() throws Exception {
    try (RawResp first = guarded.resp(NODES.getFirst());
        RawResp second = guarded.resp(NODES.getLast());
        RawResp publisher = guarded.resp(NODES.getLast())) {
      first.call("PSUBSCRIBE", "m[0-3]");
      second.call("PSUBSCRIBE", "m*");
      second.call("SUBSCRIBE", "m0");
      assertThat(publisher.call("PUBSUB", "NUMPAT")).as("of its node").isEqualTo(":1 ");
      for (int channel = 0; channel < 4; channel++) {
        String name = "m" + channel;
        assertThat(publisher.call("PUBLISH", name, "x"))
            .as("at its node")
            .isEqualTo(channel == 0 ? ":2 " : ":1 ");
        assertThat(first.reply()).isEqualTo("*4 $8 pmessage $6 m[0-3] $2 " + name + " $1 x ");
        List<String> messages = new ArrayList<>(List.of(second.reply()));
        if (channel == 0) {
          messages.add(second.reply());
        }
        assertThat(messages).contains("*4 $8 pmessage $2 m* $2 " + name + " $1 x ");
        for (String list : List.of("resp|" + name, "list-of-" + name)) { // It is no message.
          assertThat(publisher.call("DEL", list)).isBetween(":0 ", ":1 ");
          assertThat(publisher.call("RPUSH", list, "a")).isEqualTo(":1 ");
          assertThat(publisher.call("DEL", list)).isEqualTo(":1 ");
        }
      }
    }
  }

  /// MATCH-1: of keys whose owner either node is.
  @Test
  void patternsMatchKeysOfAllNodes() throws Exception {
    try (RawResp redis = guarded.resp(NODES.getFirst())) {
      for (int key = 0; key < 8; key++) {
        assertThat(redis.call("SET", "match-" + key, "x")).isEqualTo("+OK ");
      }
      assertThat(redis.call("KEYS", "match-[0-6]")).startsWith("*7 ");
      assertThat(redis.call("KEYS", "match-é*")).isEqualTo("*0 ");
      assertThat(redis.call("SCAN", "0", "MATCH", "match*", "COUNT", "99", "TYPE", "STRING"))
          .startsWith("*2 $1 0 *8 ");
      assertThat(redis.call("SCAN", "0", "MATCH", "match*", "COUNT", "99", "TYPE", "none-such"))
          .isEqualTo("*2 $1 0 *0 ");
    }
  }

  /// MEMCACHED-6, MEMCACHED-7: of items whose owner either node is.
  @Test
  void itemsOfMemcachedAreChangedOnEitherNode() throws Exception {
    try (var first = guarded.memcached(NODES.getFirst());
        var second = guarded.memcached(NODES.getLast())) {
      for (int key = 0; key < 4; key++) {
        String item = "item" + key;
        assertThat(first.store("set " + item + " 77 1000", "1")).isEqualTo("STORED");
        assertThat(second.call("incr " + item + " 1")).isEqualTo("2");
        assertThat(first.store("append " + item + " 0 0", "0")).isEqualTo("STORED");
        assertThat(second.call("touch " + item + " 100")).isEqualTo("TOUCHED");
        assertThat(first.call("incr " + item + " 1")).isEqualTo("21");
        assertThat(second.items("gat 3 " + item)).isEqualTo("VALUE " + item + " 77 2 21");
        assertThat(first.call("decr " + item + " 1")).isEqualTo("20");
      }
      for (int key = 0; key < 4; key++) {
        String item = "item" + key;
        await().until(() -> first.items("get " + item).isEmpty());
        assertThat(second.items("get " + item)).isEmpty();
      }
    }
  }

  /// ENTRYPOST-1: an eighth of the entries had several.
  @Test
  void anEntryIsCreatedByOneClient() throws Exception {
    try (Rest first = guarded.rest(NODES.getFirst());
        Rest second = guarded.rest(NODES.getLast())) {
      for (int key = 0; key < 30; key++) {
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (int client = 0; client < 6; client++) {
          Rest rest = client % 2 == 0 ? first : second;
          var post =
              HttpRequest.newBuilder(rest.node().resolve("/rest/v2/caches/default/created" + key))
                  .header("Authorization", rest.authorization())
                  .header("Content-Type", "text/plain")
                  .POST(HttpRequest.BodyPublishers.ofString("client " + client))
                  .build();
          answers.add(
              rest.http()
                  .sendAsync(post, HttpResponse.BodyHandlers.discarding())
                  .thenApply(HttpResponse::statusCode));
        }
        assertThat(answers.stream().map(CompletableFuture::join).sorted())
            .containsExactly(204, 409, 409, 409, 409, 409);
      }
    }
  }

  /// MEMORY-2: what is evicted stayed in the maps of segments for good.
  @Test
  void whatIsEvictedLeavesMemory() throws Exception {
    for (Node node : NODES) {
      InternalDataContainer<?, ?> memory =
          AsItself.call(() ->
              ComponentRegistry.componentOf(
                  node.caches().getCache(CacheContainer.DEFAULT_CACHE),
                  InternalDataContainer.class));
      long capacity = memory.capacity();
      memory.resize(5);
      try (RawResp redis = guarded.resp(node)) {
        for (int key = 0; key < 50; key++) {
          redis.call("SET", "evicted" + key, "x");
        }
        var held = new AtomicInteger();
        memory.forEachSegment((entries, _) -> held.addAndGet(entries.size()));
        assertThat(held.get()).isBetween(1, 5).isEqualTo(memory.sizeIncludingExpired());
        assertThat(redis.call("GET", "evicted0")).isEqualTo("$1 x ");
        assertThat(redis.call("KEYS", "evicted*")).startsWith("*50 ");
      } finally {
        memory.resize(capacity);
      }
    }
  }

  /// Each node reports for the whole cluster what both have done.
  @Test
  void statisticsAreThoseOfAllNodes() throws Exception {
    try (RawResp first = guarded.resp(NODES.getFirst());
        RawResp second = guarded.resp(NODES.getLast())) {
      for (int key = 0; key < 10; key++) {
        (key % 2 == 0 ? first : second).call("SET", "counted" + key, "x");
      }
    }
    for (Node node : NODES) {
      try (Rest rest = guarded.rest(node)) {
        var uri = rest.node().resolve("/rest/v2/caches/default?action=distribution");
        String distribution = rest.send(HttpRequest.newBuilder(uri).build()).body();
        assertThat(numbers(distribution, "total_entries"))
            .hasSize(2)
            .allMatch(count -> count >= 10);
      }
    }
  }

  private static List<Long> numbers(String json, String name) {
    Matcher number = Pattern.compile('"' + name + "\"\\s*:\\s*(\\d+)").matcher(json);
    return number.results().map(found -> Long.parseLong(found.group(1))).toList();
  }
}
