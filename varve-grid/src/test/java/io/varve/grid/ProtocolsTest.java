package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.varve.grid.Clients.Rest;
import io.varve.grid.node.CacheContainer;
import io.varve.grid.node.Node;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.spy.memcached.MemcachedClient;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.NearCacheMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients that others wrote use one node, most of them on one port.
@Timeout(300)
class ProtocolsTest {
  @TempDir static Path data;

  private static Node node;

  @BeforeAll
  static void start() {
    node =
        Serving.node(
            data, "--resp-port", Serving.freePort(), "--memcached-port", Serving.freePort());
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  @Test
  void whatOneProtocolWritesTheOthersRead() throws Exception {
    try (Rest rest = Rest.of(node.port());
        RemoteCacheManager hotRod = Clients.hotRod(node.port());
        RedisClient redis = Clients.redis(node.port());
        var redisConnection = redis.connect()) {
      RedisCommands<String, String> resp = redisConnection.sync();
      RemoteCache<String, String> cache = Clients.cache(hotRod);

      assertThat(rest.put("of-rest", "r")).isEqualTo(204);
      cache.put("of-hot-rod", "h");
      resp.set("of-resp", "s");

      for (var entry : Map.of("of-rest", "r", "of-hot-rod", "h", "of-resp", "s").entrySet()) {
        String key = entry.getKey();
        assertThat(rest.get(key).body()).as("REST: %s", key).isEqualTo(entry.getValue());
        assertThat(cache.get(key)).as("Hot Rod: %s", key).isEqualTo(entry.getValue());
        assertThat(resp.get(key)).as("RESP: %s", key).isEqualTo(entry.getValue());
      }
    }
  }

  @Test
  void theOthersReadTheCacheOfMemcached() throws Exception {
    MemcachedClient memcached = Clients.memcached(node.port());
    assertThat(memcached.set("of-memcached", 0, "m").get(30, SECONDS)).isTrue();
    memcached.shutdown();
    try (Rest rest = Rest.of(node.port());
        RemoteCacheManager hotRod = Clients.hotRod(node.port())) {
      var uri = rest.node().resolve("/rest/v2/caches/memcached/of-memcached");
      assertThat(rest.send(HttpRequest.newBuilder(uri).build()).body()).isEqualTo("m");
      assertThat(Clients.cache(hotRod, "memcached").get("of-memcached")).isEqualTo("m");
    }
  }

  @Test
  void aNearCacheLearnsWhatOthersChange() {
    var near = Clients.hotRodConfiguration(node.port());
    near.remoteCache("near")
        .templateName(CacheContainer.TEMPLATE)
        .nearCacheMode(NearCacheMode.INVALIDATED)
        .nearCacheMaxEntries(100);
    near.statistics().enable();
    try (RemoteCacheManager nearManager = new RemoteCacheManager(near.build());
        RemoteCacheManager otherManager = Clients.hotRod(node.port())) {
      RemoteCache<String, String> nearCache = nearManager.getCache("near");
      RemoteCache<String, String> other = otherManager.getCache("near");
      other.put("near", "first");
      long hits = nearCache.clientStatistics().getNearCacheHits();
      // The news of the put may come after the first read, and take from the near cache what it
      // kept.
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() ->
              "first".equals(nearCache.get("near"))
                  && nearCache.clientStatistics().getNearCacheHits() > hits);

      other.put("near", "second");
      await().atMost(Duration.ofSeconds(60)).until(() -> "second".equals(nearCache.get("near")));
      assertThat(nearCache.clientStatistics().getNearCacheInvalidations()).isPositive();
    }
  }

  @Test
  void hotRodComparesVersionsAndExpires() {
    try (RemoteCacheManager manager = Clients.hotRod(node.port())) {
      RemoteCache<String, String> cache = Clients.cache(manager);
      cache.put("versioned", "a");
      long version = cache.getWithMetadata("versioned").getVersion();
      assertThat(cache.replaceWithVersion("versioned", "b", version)).isTrue();
      assertThat(cache.replaceWithVersion("versioned", "c", version)).isFalse();
      assertThat(cache.putIfAbsent("versioned", "d")).isNull();
      assertThat(cache.get("versioned")).isEqualTo("b");

      cache.put("brief", "x", 1, TimeUnit.SECONDS);
      await().atMost(Duration.ofSeconds(60)).until(() -> cache.get("brief") == null);
    }
  }

  @Test
  void redisHasItsTypes() {
    try (RedisClient client = Clients.redis(node.port());
        var connection = client.connect()) {
      assertTypes(connection.sync());
    }
    try (RedisClient client = Clients.redis(node.respPort());
        var connection = client.connect()) {
      assertTypes(connection.sync());
    }
  }

  private static void assertTypes(RedisCommands<String, String> redis) {
    redis.del("list", "hash", "set", "sorted", "number");
    assertThat(redis.rpush("list", "a", "b", "c")).isEqualTo(3);
    assertThat(redis.lrange("list", 0, -1)).containsExactly("a", "b", "c");
    assertThat(redis.hset("hash", "field", "value")).isTrue();
    assertThat(redis.hget("hash", "field")).isEqualTo("value");
    assertThat(redis.sadd("set", "a", "b", "a")).isEqualTo(2);
    assertThat(redis.smembers("set")).containsExactlyInAnyOrder("a", "b");
    assertThat(redis.zadd("sorted", 2, "b")).isEqualTo(1);
    assertThat(redis.zadd("sorted", 1, "a")).isEqualTo(1);
    assertThat(redis.zrange("sorted", 0, -1)).containsExactly("a", "b");
    assertThat(redis.incrby("number", 5)).isEqualTo(5);
    assertThat(redis.expire("number", 1_000)).isTrue();
    assertThat(redis.ttl("number")).isBetween(1L, 1_000L);
  }

  @Test
  void memcachedComparesAndCounts() throws Exception {
    MemcachedClient binary = Clients.memcached(node.port());
    MemcachedClient text = Clients.memcachedText(node.port());
    MemcachedClient ownPort = Clients.memcachedText(node.memcachedPort());
    for (MemcachedClient client : List.of(binary, text, ownPort)) {
      assertThat(client.set("m", 0, "one").get(30, SECONDS)).isTrue();
      assertThat(client.add("m", 0, "two").get(30, SECONDS)).isFalse();
      long cas = client.gets("m").getCas();
      assertThat(client.cas("m", cas, "three")).hasToString("OK");
      assertThat(client.cas("m", cas, "four")).hasToString("EXISTS");
      assertThat(client.get("m")).isEqualTo("three");
      assertThat(client.delete("count").get(30, SECONDS)).isIn(true, false);
      assertThat(client.incr("count", 1, 10)).isEqualTo(10);
      assertThat(client.incr("count", 5)).isEqualTo(15);
      client.shutdown();
    }
  }

  @Test
  void restReportsWhatIsThere() throws Exception {
    try (Rest rest = Rest.of(node.port())) {
      assertThat(rest.get("absent").statusCode()).isEqualTo(404);
      assertThat(rest.put("there", "väl")).isEqualTo(204);
      assertThat(rest.get("there").body()).isEqualTo("väl");
      var delete = HttpRequest.newBuilder(rest.entry("there")).DELETE().build();
      assertThat(rest.send(delete).statusCode()).isEqualTo(204);
      assertThat(rest.get("there").statusCode()).isEqualTo(404);
    }
  }

  /// The page and all scripts and styles that it names.
  @Test
  void theConsoleIsServedWhole() throws Exception {
    try (Rest rest = Rest.of(node.port())) {
      var page = rest.send(HttpRequest.newBuilder(rest.node().resolve("/console/")).build());
      assertThat(page.statusCode()).isEqualTo(200);
      Matcher part = Pattern.compile("(?:src|href)=\"([^\"]+\\.(?:js|css))\"").matcher(page.body());
      int parts = 0;
      while (part.find()) {
        var uri = rest.node().resolve("/console/").resolve(part.group(1));
        var response = rest.send(HttpRequest.newBuilder(uri).build());
        assertThat(response.statusCode()).as("%s", uri).isEqualTo(200);
        assertThat(response.body().getBytes(UTF_8)).isNotEmpty();
        parts++;
      }
      assertThat(parts).isPositive();
    }
  }
}
