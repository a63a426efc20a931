package io.varve.grid;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.varve.Store;
import io.varve.grid.Clients.Rest;
import io.varve.grid.node.CacheContainer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import net.spy.memcached.MemcachedClient;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A node is killed while clients of every protocol write. When it runs again, it has each entry
/// that was acknowledged to any of them.
@Tag("slow")
@Timeout(600)
class NodeKillTest {
  private static final int EXIT_CODE_OF_SIGTERM = 128 + 15;

  @TempDir Path directory;

  /// What one client has written so far: entries `<name>-0` and on, of which so many were
  /// acknowledged.
  private record Writer(String name, AtomicInteger acknowledged) {
    Writer(String name) {
      this(name, new AtomicInteger());
    }

    /// Where its entries are.
    String cache() {
      return name.equals(CacheContainer.MEMCACHED_CACHE) ? name : CacheContainer.DEFAULT_CACHE;
    }

    String nextKey() {
      return name + "-" + acknowledged.get();
    }

    String value() {
      return "v" + acknowledged.get();
    }
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a process cannot be asked to end there")
  void acknowledgedEntriesSurviveAKill() throws Exception {
    Path data = directory.resolve("node");
    Writer rest = new Writer("rest");
    Writer hotRod = new Writer("hot-rod");
    Writer redis = new Writer("redis");
    Writer memcached = new Writer("memcached");
    List<Writer> writers = List.of(rest, hotRod, redis, memcached);
    for (int kill = 1; kill <= 2; kill++) {
      int wanted = kill * 50;
      try (ServeProcess node = ServeProcess.start(data);
          ExecutorService threads = Executors.newCachedThreadPool()) {
        List<Future<Void>> writing = new ArrayList<>();
        writing.add(threads.submit(() -> writeByRest(node, rest)));
        writing.add(threads.submit(() -> writeByHotRod(node, hotRod)));
        writing.add(threads.submit(() -> writeByRedis(node, redis)));
        writing.add(threads.submit(() -> writeByMemcached(node, memcached)));
        while (writers.stream().anyMatch(writer -> writer.acknowledged().get() < wanted)) {
          assertThat(node.process().waitFor(20, MILLISECONDS))
              .as("the node ended before the kill")
              .isFalse();
        }
        node.kill();
        for (Future<Void> client : writing) {
          client.get();
        }
      }
    }
    try (ServeProcess node = ServeProcess.start(data)) {
      for (Writer writer : writers) {
        assertThere(node, writer);
      }
      assertThat(node.terminate()).isEqualTo(EXIT_CODE_OF_SIGTERM);
    }
    try (Store store = Store.open(data.resolve("data").resolve("default").resolve("varve"))) {
      assertThat(store.statistics().recovery().replayedCommits()).as("after SIGTERM").isZero();
      store.verify().requireSound();
    }
  }

  /// Writes until the node is gone.
  private static Void write(Writer writer, Callable<Boolean> put) {
    try {
      while (put.call()) {
        writer.acknowledged().incrementAndGet();
      }
    } catch (Exception e) {
      // The node was killed: what was under way is not known to be in.
    }
    return null;
  }

  private static Void writeByRest(ServeProcess node, Writer writer) {
    try (Rest client = Rest.of(node.port())) {
      return write(writer, () -> client.put(writer.nextKey(), writer.value()) == 204);
    }
  }

  private static Void writeByHotRod(ServeProcess node, Writer writer) {
    var configuration =
        Clients.hotRodConfiguration(node.port()).maxRetries(0).socketTimeout(30_000);
    try (RemoteCacheManager client = new RemoteCacheManager(configuration.build())) {
      var cache = Clients.cache(client);
      return write(
          writer,
          () -> {
            cache.put(writer.nextKey(), writer.value());
            return true;
          });
    }
  }

  private static Void writeByRedis(ServeProcess node, Writer writer) {
    try (RedisClient client = Clients.redis(node.port())) {
      client.setOptions(io.lettuce.core.ClientOptions.builder().autoReconnect(false).build());
      try (var connection = client.connect()) {
        var redis = connection.sync();
        return write(writer, () -> "OK".equals(redis.set(writer.nextKey(), writer.value())));
      }
    }
  }

  private static Void writeByMemcached(ServeProcess node, Writer writer) throws Exception {
    MemcachedClient client = Clients.memcached(node.port());
    try {
      return write(writer, () -> client.set(writer.nextKey(), 0, writer.value()).get(30, SECONDS));
    } finally {
      client.shutdown();
    }
  }

  private static void assertThere(ServeProcess node, Writer writer) {
    try (RemoteCacheManager client = Clients.hotRod(node.port())) {
      var cache = Clients.cache(client, writer.cache());
      for (int at = 0; at < writer.acknowledged().get(); at++) {
        String key = writer.name() + "-" + at;
        assertThat(cache.get(key)).as(key).isEqualTo("v" + at);
      }
    }
  }
}
