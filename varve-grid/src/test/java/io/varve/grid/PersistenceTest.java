package io.varve.grid;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.varve.Store;
import io.varve.grid.Clients.Rest;
import io.varve.grid.node.CacheContainer;
import io.varve.grid.node.Node;
import io.varve.infinispan.VarveStore;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import net.spy.memcached.MemcachedClient;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.persistence.manager.PersistenceManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What clients have put is there after a restart, and so are caches that they made.
@Timeout(300)
class PersistenceTest {
  @TempDir Path data;

  @Test
  void entriesAndCachesSurviveAStop() throws Exception {
    try (Node node = Serving.node(data)) {
      put(node);
      assertThat(stores(node, CacheContainer.DEFAULT_CACHE)).isEqualTo(1);
      assertThat(stores(node, "orders")).isEqualTo(1);
      assertThat(stores(node, "sessions")).isEqualTo(1);
    }
    for (String cache : new String[] {"default", "orders", "sessions"}) {
      Path store = data.resolve("data").resolve(cache).resolve("varve");
      assertThat(Files.exists(store.resolve("pages"))).as(cache).isTrue();
      try (Store opened = Store.open(store)) {
        assertThat(opened.statistics().recovery().replayedCommits())
            .as("a clean stop: %s", cache)
            .isZero();
        opened.verify().requireSound();
      }
    }
    try (Node node = Serving.node(data)) {
      assertThere(node);
    }
  }

  private static void put(Node node) throws Exception {
    try (Rest rest = Rest.of(node.port());
        RemoteCacheManager hotRod = Clients.hotRod(node.port());
        RedisClient redis = Clients.redis(node.port());
        var redisConnection = redis.connect()) {
      MemcachedClient memcached = Clients.memcached(node.port());
      rest.put("of-rest", "r");
      Clients.cache(hotRod).put("of-hot-rod", "h");
      redisConnection.sync().rpush("of-resp", "a", "b");
      assertThat(memcached.set("of-memcached", 0, "m").get(30, SECONDS)).isTrue();
      memcached.shutdown();

      var create =
          HttpRequest.newBuilder(rest.node().resolve("/rest/v2/caches/orders?template=varve"))
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
      assertThat(rest.send(create).statusCode()).isEqualTo(200);
      RemoteCache<String, String> sessions =
          hotRod.administration().getOrCreateCache("sessions", CacheContainer.TEMPLATE);
      sessions.put("4711", "basket");
    }
  }

  private static void assertThere(Node node) throws Exception {
    try (Rest rest = Rest.of(node.port());
        RemoteCacheManager hotRod = Clients.hotRod(node.port());
        RedisClient redis = Clients.redis(node.port());
        var redisConnection = redis.connect()) {
      MemcachedClient memcached = Clients.memcached(node.port());
      assertThat(rest.get("of-rest").body()).isEqualTo("r");
      assertThat(Clients.cache(hotRod).get("of-hot-rod")).isEqualTo("h");
      assertThat(redisConnection.sync().lrange("of-resp", 0, -1)).containsExactly("a", "b");
      assertThat(memcached.get("of-memcached")).isEqualTo("m");
      memcached.shutdown();
      assertThat(hotRod.getCacheNames()).contains("orders", "sessions");
      assertThat(hotRod.<String, String>getCache("sessions").get("4711")).isEqualTo("basket");
    }
  }

  private static int stores(Node node, String cache) {
    return ComponentRegistry.componentOf(node.caches().getCache(cache), PersistenceManager.class)
        .getStores(VarveStore.class)
        .size();
  }

  /// Memory holds a small part of the entries; all are read.
  @Test
  void entriesBeyondMemoryAreReadFromPages() throws Exception {
    try (Node node = Serving.node(data, "--entries", "100", "--durability", "BACKGROUND");
        RemoteCacheManager hotRod = Clients.hotRod(node.port())) {
      RemoteCache<String, String> cache = Clients.cache(hotRod);
      String text = "x".repeat(10_000);
      for (int at = 0; at < 1_000; at++) {
        cache.put("k" + at, at + text);
      }
      var container = node.caches().getCache(CacheContainer.DEFAULT_CACHE).getAdvancedCache();
      assertThat(container.getDataContainer().size()).isBetween(1, 100 / 5); // MEMORY-1
      for (int at = 0; at < 1_000; at++) {
        assertThat(cache.get("k" + at)).isEqualTo(at + text);
      }
    }
  }
}
