package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.CacheContainer;
import io.varve.grid.node.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.Cache;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.notifications.cachelistener.CacheNotifier;
import org.infinispan.notifications.impl.AbstractListenerImpl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// WATCHED-1 to WATCHED-4: what `WATCH` adds to a cache is removed from it, and no more counts.
@Timeout(300)
class RespWatchTest {
  @TempDir static Path data;

  private static Node node;
  private static Cache<?, ?> first;
  private static Cache<?, ?> second;

  private int before;

  @BeforeAll
  static void start() {
    node = Serving.node(data, "--durability", "BACKGROUND");
    first = node.caches().getCache(CacheContainer.DEFAULT_CACHE);
    second = node.caches().administration().getOrCreateCache("1", CacheContainer.TEMPLATE);
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  @BeforeEach
  void count() {
    before = listeners(first);
  }

  private static int listeners(Cache<?, ?> cache) {
    return ((AbstractListenerImpl<?, ?>) ComponentRegistry.componentOf(cache, CacheNotifier.class))
        .getListeners()
        .size();
  }

  private void awaitNone() throws InterruptedException {
    for (int look = 0; look < 500 && listeners(first) > before; look++) {
      Thread.sleep(Duration.ofMillis(20));
    }
    assertThat(listeners(first)).isEqualTo(before);
  }

  @Test
  void theEndOfAConnectionEndsWhatItWatches() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      assertThat(redis.call("WATCH", "k")).isEqualTo("+OK ");
      assertThat(listeners(first)).isGreaterThan(before);
    }
    awaitNone();
  }

  @Test
  void anotherCacheMayBeSelectedBetween() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      for (int run = 0; run < 3; run++) {
        redis.call("SELECT", CacheContainer.DEFAULT_CACHE);
        assertThat(redis.call("WATCH", "k")).isEqualTo("+OK ");
        assertThat(redis.call("SELECT", "1")).isEqualTo("+OK ");
        assertThat(redis.call("UNWATCH")).isEqualTo("+OK ");
      }
      assertThat(redis.call("WATCH", "k")).isEqualTo("+OK ");
      awaitNone();
    }
  }

  @Test
  void aConnectionHasFewListeners() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      String answer = redis.call("WATCH", "k");
      int watches = 0;
      while (answer.equals("+OK ") && watches < 1_000) {
        watches++;
        answer = redis.call("WATCH", "k" + watches);
      }
      assertThat(watches).isEqualTo(256);
      assertThat(answer).startsWith("-ERR");
      assertThat(redis.call("UNWATCH")).isEqualTo("+OK ");
      assertThat(redis.call("WATCH", "k")).isEqualTo("+OK ");
    }
    awaitNone();
  }

  /// WATCHED-2
  @Test
  void aConnectionWatchesABoundedNumberOfKeys() throws Exception {
    List<String> watch = new ArrayList<>(List.of("WATCH"));
    for (int key = 0; key < 1_024; key++) {
      watch.add("k" + key);
    }
    try (RawResp redis = new RawResp(node.port())) {
      assertThat(redis.call("WATCH", "one")).isEqualTo("+OK ");
      assertThat(redis.call(watch.toArray(String[]::new))).isEqualTo("-ERR ");
      assertThat(redis.call("UNWATCH")).isEqualTo("+OK ");
      assertThat(redis.call(watch.toArray(String[]::new))).isEqualTo("+OK ");
      assertThat(redis.call("WATCH", "one")).isEqualTo("-ERR ");
      redis.call("MULTI");
      redis.call("PING");
      assertThat(redis.call("EXEC")).isEqualTo("*1 +PONG ");
    }
    awaitNone();
  }

  /// WATCHED-4
  @Test
  void whatExpiresWhileItIsWatchedHasChanged() throws Exception {
    try (RawResp redis = new RawResp(node.port())) {
      for (String make : List.of("SET k v", "HSET k f v", "LPUSH k v", "SADD k v")) {
        watchUntilItExpires(redis, make);
        redis.call("MULTI");
        redis.call("PING");
        assertThat(redis.call("EXEC")).as(make).isEqualTo("*-1 ");
        redis.call("MULTI");
        redis.call("PING");
        assertThat(redis.call("EXEC")).as("not watched any more").isEqualTo("*1 +PONG ");
      }
    }
  }

  /// On a busy machine a key may expire before it is watched, which is no change. Then it gets
  /// longer.
  private static void watchUntilItExpires(RawResp redis, String make) throws Exception {
    long millis = 30;
    do {
      millis *= 2;
      redis.call("UNWATCH");
      redis.call("DEL", "k");
      redis.call(make.split(" "));
      redis.call("PEXPIRE", "k", Long.toString(millis));
      assertThat(redis.call("WATCH", "other", "k")).isEqualTo("+OK ");
    } while (redis.call("PTTL", "k").equals(":-2 "));
    Thread.sleep(Duration.ofMillis(2 * millis));
  }

  /// WATCHED-4
  @Test
  void whatHadExpiredBeforeHasNotChanged() throws Exception {
    try (RawResp redis = new RawResp(node.port());
        RawResp other = new RawResp(node.port())) {
      redis.call("DEL", "k");
      redis.call("SET", "k", "v", "PX", "30");
      Thread.sleep(Duration.ofMillis(90));
      assertThat(redis.call("WATCH", "k")).isEqualTo("+OK ");
      redis.call("MULTI");
      redis.call("PING");
      other.call("GET", "k");
      assertThat(redis.call("EXEC")).isEqualTo("*1 +PONG ");
      redis.call("SET", "k", "v", "PX", "600000");
      redis.call("WATCH", "k");
      redis.call("MULTI");
      redis.call("GET", "k");
      assertThat(redis.call("EXEC")).isEqualTo("*1 $1 v ");
    }
  }

  /// WATCHED-3
  @Test
  void anEndedConnectionCountsNoMore() throws Exception {
    try (RawResp info = new RawResp(node.port())) {
      awaitCounts(info, 0, 0);
      try (RawResp redis = new RawResp(node.port());
          RawResp collecting = new RawResp(node.port())) {
        assertThat(redis.call("WATCH", "a", "b", "c")).isEqualTo("+OK ");
        assertThat(redis.call("WATCH", "d")).isEqualTo("+OK ");
        assertThat(collecting.call("WATCH", "e", "f")).isEqualTo("+OK ");
        assertThat(collecting.call("MULTI")).isEqualTo("+OK ");
        awaitCounts(info, 3, 6);
      }
      awaitCounts(info, 0, 0);
    }
    awaitNone();
  }

  private static void awaitCounts(RawResp info, int clients, int keys) throws Exception {
    String clientCount = "watching_clients:" + clients + " ";
    String keyCount = "total_watched_keys:" + keys + " ";
    String answer = info.call("INFO", "clients");
    for (int look = 0;
        look < 500 && !(answer.contains(clientCount) && answer.contains(keyCount));
        look++) {
      Thread.sleep(Duration.ofMillis(20));
      answer = info.call("INFO", "clients");
    }
    assertThat(answer).contains(clientCount, keyCount);
  }
}
