package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.grid.guard.connection.CacheParts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.notifications.cachelistener.CacheNotifier;
import org.infinispan.notifications.cachelistener.cluster.ClusterCacheNotifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What clients of RESP are answered of the channels that others subscribe to.
@Timeout(120)
class RespPubsubTest extends SharedNode {
  private static final int SUBSCRIBERS = Integer.getInteger("varve.resp.subscribers", 50);

  @Test
  void subscribersOfChannelsAreCounted() throws Exception {
    try (var redis = new RawResp(node.port());
        var first = new RawResp(node.port());
        var second = new RawResp(node.port())) {
      assertThat(redis.call("PUBSUB", "NUMSUB")).isEqualTo("*0 ");
      await() // Those of another test leave when the ends of their connections are seen.
          .untilAsserted(() -> {
            assertThat(redis.call("PUBSUB", "numsub", "a")).isEqualTo("*2 $1 a :0 ");
            assertThat(redis.call("INFO", "clients")).contains("pubsub_clients:0 ");
          });
      assertThat(first.call("SUBSCRIBE", "a", "b")).startsWith("*3 $9 subscribe $1 a :1");
      assertThat(second.call("SUBSCRIBE", "a")).startsWith("*3 $9 subscribe $1 a :1");
      assertThat(redis.call("PUBSUB", "NUMSUB", "a", "b", "c", "a"))
          .isEqualTo("*8 $1 a :2 $1 b :1 $1 c :0 $1 a :2 ");
      assertThat(redis.call("PUBSUB", "CHANNELS", "b")).isEqualTo("*1 $1 b ");
      assertThat(redis.call("PUBSUB", "NUMPAT")).isEqualTo(":0 ");
      assertThat(redis.call("INFO", "clients"))
          .as("of channels it was 3")
          .contains("pubsub_clients:2 ");
      second.call("PSUBSCRIBE", "p*");
      assertThat(redis.call("CLIENT", "LIST", "TYPE", "pubsub").split(" flags=P ")).hasSize(3);
      assertThat(second.call("RESET")).isEqualTo("+RESET ");
      assertThat(redis.call("INFO", "clients")).contains("pubsub_clients:1 ");
    }
    try (var redis = new RawResp(node.port())) {
      await()
          .untilAsserted(
              () -> assertThat(redis.call("PUBSUB", "NUMSUB", "a")).isEqualTo("*2 $1 a :0 "));
      // Those that left without UNSUBSCRIBE were counted for good.
      await()
          .untilAsserted(
              () -> assertThat(redis.call("INFO", "clients")).contains("pubsub_clients:0 "));
    }
  }

  /// CHANNELS-2. It was a subscriber for good, and each command was unknown to it.
  @Test
  void aSubscriberWithoutAChannelIsNone() throws Exception {
    try (var redis = new RawResp(node.port())) {
      for (int time = 0; time < 2; time++) {
        assertThat(redis.call("SUBSCRIBE", "a")).isEqualTo("*3 $9 subscribe $1 a :1 ");
        assertThat(redis.call("GET", "k")).startsWith("-ERR");
        assertThat(redis.call("UNSUBSCRIBE")).isEqualTo("*3 $11 unsubscribe $1 a :0 ");
        assertThat(redis.call("SET", "k", "v")).isEqualTo("+OK ");
        assertThat(redis.call("UNSUBSCRIBE")).isEqualTo("*3 $11 unsubscribe $-1 :0 ");
      }
    }
  }

  /// CHANNELS-2. The count of channels was that of words.
  @Test
  void aChannelCountsOnce() throws Exception {
    try (var redis = new RawResp(node.port())) {
      assertThat(redis.call("SUBSCRIBE", "a", "a")).isEqualTo("*3 $9 subscribe $1 a :1 ");
      assertThat(redis.reply()).isEqualTo("*3 $9 subscribe $1 a :1 ");
      assertThat(redis.call("SUBSCRIBE", "a")).isEqualTo("*3 $9 subscribe $1 a :1 ");
      assertThat(redis.call("UNSUBSCRIBE", "b")).isEqualTo("*3 $11 unsubscribe $1 b :1 ");
      assertThat(redis.call("GET", "k")).as("it is a subscriber").startsWith("-ERR");
    }
  }

  /// It was 0. At version 3 messages are pushes, and were arrays.
  @Test
  void thoseWhoGetAMessageAreCounted() throws Exception {
    try (var redis = new RawResp(node.port());
        var first = new RawResp(node.port());
        var second = new RawResp(node.port())) {
      assertThat(redis.call("PUBLISH", "news", "x")).isEqualTo(":0 ");
      first.call("HELLO", "3");
      assertThat(first.call("SUBSCRIBE", "news")).isEqualTo(">3 $9 subscribe $4 news :1 ");
      second.call("SUBSCRIBE", "news");
      assertThat(redis.call("PUBLISH", "news", "y")).isEqualTo(":2 ");
      assertThat(first.reply()).isEqualTo(">3 $7 message $4 news $1 y ");
      assertThat(second.reply()).isEqualTo("*3 $7 message $4 news $1 y ");
    }
  }

  /// CHANNELS-3. Some ten of a thousand subscribers were sent a message first.
  @Test
  void theAnswerToASubscriptionComesFirst() throws Exception {
    var ends = new AtomicBoolean();
    Thread publishes =
        Thread.ofPlatform()
            .start(() -> {
              try (var publisher = new RawResp(node.port())) {
                while (!ends.get()) {
                  publisher.call("PUBLISH", "early", "x");
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    try {
      for (int time = 0; time < SUBSCRIBERS; time++) {
        try (var subscriber = new RawResp(node.port())) {
          assertThat(subscriber.call("PSUBSCRIBE", "early*")).startsWith("*3 $10 psubscribe");
        }
        try (var subscriber = new RawResp(node.port())) {
          assertThat(subscriber.call("SUBSCRIBE", "a", "early")).startsWith("*3 $9 subscribe $1 a");
          assertThat(subscriber.reply()).startsWith("*3 $9 subscribe $5 early");
          assertThat(subscriber.reply()).startsWith("*3 $7 message");
        }
      }
    } finally {
      ends.set(true);
      publishes.join();
    }
  }

  /// GLOB-2. At Redis `*` is compared with no name of a channel that is empty, but `KEYS *` has
  /// all.
  @Test
  void anEmptyNameIsThatOfAnEmptyPattern() throws Exception {
    try (var redis = new RawResp(node.port());
        var subscriber = new RawResp(node.port())) {
      subscriber.call("PSUBSCRIBE", "*");
      subscriber.call("PSUBSCRIBE", "");
      subscriber.call("SUBSCRIBE", "");
      assertThat(redis.call("PUBLISH", "", "x")).isEqualTo(":2 ");
      assertThat(List.of(subscriber.reply(), subscriber.reply()))
          .containsExactlyInAnyOrder("*3 $7 message $0  $1 x ", "*4 $8 pmessage $0  $0  $1 x ");
      assertThat(redis.call("PUBSUB", "CHANNELS", "*")).isEqualTo("*0 ");
      assertThat(redis.call("PUBSUB", "CHANNELS", "")).isEqualTo("*1 $0  ");
      assertThat(redis.call("SADD", "withempty", "")).isEqualTo(":1 ");
      assertThat(redis.call("SSCAN", "withempty", "0", "MATCH", "*")).endsWith("*1 $0  ");
      assertThat(redis.call("SSCAN", "withempty", "0", "MATCH", "**")).endsWith("*0 ");
    }
  }

  /// CHANNELS-2. Its channel and its pattern both bring the message.
  @Test
  void aSubscriberOfPatternsGetsWhatMatches() throws Exception {
    try (var redis = new RawResp(node.port());
        var subscriber = new RawResp(node.port());
        var other = new RawResp(node.port())) {
      assertThat(subscriber.call("PSUBSCRIBE", "n?ws.*", "n?ws.*"))
          .isEqualTo("*3 $10 psubscribe $6 n?ws.* :1 ");
      assertThat(subscriber.reply()).isEqualTo("*3 $10 psubscribe $6 n?ws.* :1 ");
      assertThat(subscriber.call("SUBSCRIBE", "news.a")).isEqualTo("*3 $9 subscribe $6 news.a :2 ");
      other.call("HELLO", "3");
      assertThat(other.call("PSUBSCRIBE", "*.[a-b]")).isEqualTo(">3 $10 psubscribe $7 *.[a-b] :1 ");
      assertThat(redis.call("PUBSUB", "NUMPAT")).isEqualTo(":2 ");
      assertThat(redis.call("PUBSUB", "CHANNELS")).isEqualTo("*1 $6 news.a ");
      assertThat(redis.call("PUBLISH", "news.a", "x")).isEqualTo(":3 ");
      assertThat(redis.call("PUBLISH", "news.c", "")).isEqualTo(":1 ");
      assertThat(redis.call("PUBLISH", "olds", "z")).isEqualTo(":0 ");
      assertThat(List.of(subscriber.reply(), subscriber.reply()))
          .containsExactlyInAnyOrder(
              "*3 $7 message $6 news.a $1 x ", "*4 $8 pmessage $6 n?ws.* $6 news.a $1 x ");
      assertThat(subscriber.reply()).isEqualTo("*4 $8 pmessage $6 n?ws.* $6 news.c $0  ");
      assertThat(other.reply()).isEqualTo(">4 $8 pmessage $7 *.[a-b] $6 news.a $1 x ");
      assertThat(subscriber.call("UNSUBSCRIBE")).isEqualTo("*3 $11 unsubscribe $6 news.a :1 ");
      assertThat(subscriber.call("GET", "k")).as("it is a subscriber").startsWith("-ERR");
      assertThat(subscriber.call("PING")).isEqualTo("*2 $4 pong $0  ");
      assertThat(subscriber.call("PUNSUBSCRIBE")).isEqualTo("*3 $12 punsubscribe $6 n?ws.* :0 ");
      assertThat(subscriber.call("PUNSUBSCRIBE")).isEqualTo("*3 $12 punsubscribe $-1 :0 ");
      assertThat(subscriber.call("EXISTS", "k")).startsWith(":");
      assertThat(redis.call("PUBLISH", "news.a", "y")).isEqualTo(":1 ");
      assertThat(other.reply()).endsWith("$1 y ");
    }
  }

  /// The listener ends with the connection, and with `RESET`.
  @Test
  void patternsEndWithTheirConnection() throws Exception {
    try (var redis = new RawResp(node.port());
        var reset = new RawResp(node.port())) {
      try (var subscriber = new RawResp(node.port())) {
        subscriber.call("PSUBSCRIBE", "left*");
        reset.call("PSUBSCRIBE", "left*");
        assertThat(redis.call("PUBLISH", "left", "x")).isEqualTo(":2 ");
        assertThat(reset.reply()).startsWith("*4 $8 pmessage");
      }
      await().untilAsserted(() -> assertThat(redis.call("PUBLISH", "left", "x")).isEqualTo(":1 "));
      await().untilAsserted(() -> assertThat(reset.call("RESET")).isEqualTo("+RESET "));
      assertThat(redis.call("PUBLISH", "left", "x")).isEqualTo(":0 ");
      assertThat(redis.call("PUBSUB", "NUMPAT")).isEqualTo(":0 ");
    }
  }

  /// It was made a string for the listener, which a list is none of: the write failed.
  @Test
  void whatIsNoMessageIsWrittenToo() throws Exception {
    try (var redis = new RawResp(node.port());
        var subscriber = new RawResp(node.port())) {
      subscriber.call("PSUBSCRIBE", "list*");
      subscriber.call("SUBSCRIBE", "list");
      assertThat(redis.call("RPUSH", "anylist", "a")).isEqualTo(":1 ");
      assertThat(redis.call("RPUSH", "resp|list", "a")).isEqualTo(":1 ");
      assertThat(redis.call("DEL", "resp|list")).isEqualTo(":1 ");
      assertThat(redis.call("PUBLISH", "list", "x")).isEqualTo(":2 ");
      assertThat(subscriber.reply()).contains("message");
    }
  }

  /// PATTERNS-2
  @Test
  void aConnectionHasFewPatterns() throws Exception {
    String[] words = new String[1_026];
    Arrays.setAll(words, at -> at == 0 ? "PSUBSCRIBE" : "p" + at);
    try (var redis = new RawResp(node.port());
        var subscriber = new RawResp(node.port())) {
      assertThat(subscriber.call(words)).startsWith("-ERR");
      assertThat(subscriber.call("PSUBSCRIBE", "*a".repeat(40_000))).startsWith("-ERR");
      assertThat(subscriber.call("EXISTS", "k")).as("it is none").startsWith(":");
      assertThat(subscriber.call("PSUBSCRIBE", "*a".repeat(30_000) + "*"))
          .startsWith("*3 $10 psubscribe");
      assertThat(subscriber.call("PSUBSCRIBE", "b".repeat(6_000))).startsWith("-ERR");
      assertThat(redis.call("PUBLISH", "a".repeat(1_024), "x")).isEqualTo(":0 ");
      assertThat(redis.call("PUBSUB", "CHANNELS", "*a".repeat(512))).isEqualTo("*0 ");
      assertThat(redis.call("PUBSUB", "CHANNELS", "*a".repeat(30_000))).startsWith("-ERR");
    }
  }

  /// CHANNELS-6. The second time it was answered, and no message came.
  @Test
  void aSubscriptionThatFailsIsNone() throws Exception {
    ComponentRegistry cache = CacheParts.of(node.caches(), "default");
    CacheNotifier<?, ?> notifier = cache.getCacheNotifier().running();
    var additions = new AtomicInteger();
    replaceNotifier(
        cache,
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {CacheNotifier.class, ClusterCacheNotifier.class},
            (_, method, arguments) -> {
              if (method.getName().endsWith("ListenerAsync")
                  && method.getName().startsWith("add")
                  && additions.incrementAndGet() == 3) {
                return CompletableFuture.failedFuture(new IllegalStateException("of the test"));
              }
              return method.invoke(notifier, arguments);
            }));
    try (var redis = new RawResp(node.port());
        var subscriber = new RawResp(node.port())) {
      assertThat(subscriber.call("SUBSCRIBE", "kept")).endsWith("$4 kept :1 ");
      int listeners = notifier.getListeners().size();
      assertThat(subscriber.call("SUBSCRIBE", "added", "failed")).startsWith("-ERR");
      assertThat(notifier.getListeners()).hasSize(listeners);
      assertThat(subscriber.call("SUBSCRIBE", "failed")).endsWith("$6 failed :2 ");
      assertThat(redis.call("PUBLISH", "added", "x")).isEqualTo(":0 ");
      assertThat(redis.call("PUBLISH", "failed", "x")).isEqualTo(":1 ");
      assertThat(subscriber.reply()).endsWith("$6 failed $1 x ");
      assertThat(redis.call("PUBLISH", "kept", "x")).isEqualTo(":1 ");
      assertThat(subscriber.reply()).endsWith("$4 kept $1 x ");
    } finally {
      replaceNotifier(cache, notifier);
    }
  }

  private static void replaceNotifier(ComponentRegistry cache, Object notifier) {
    BasicComponentRegistry parts = cache.getComponent(BasicComponentRegistry.class);
    parts.replaceComponent(CacheNotifier.class.getName(), notifier, false);
    parts.rewire();
  }
}
