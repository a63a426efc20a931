package io.varve.grid.guard.entry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.executors.NonBlockingResource;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.functional.FunctionalMap.ReadWriteMap;
import org.infinispan.functional.impl.FunctionalMapImpl;
import org.infinispan.functional.impl.ReadWriteMapImpl;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.multimap.impl.ListBucket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LargeCollectionsTest {
  private static final String LOOP = "a loop";

  /// As Infinispan marks the threads of its event loops.
  private static final class Loops extends ThreadGroup implements NonBlockingResource {
    Loops() {
      super("loops");
    }
  }

  /// LARGE-1
  @Test
  void aLoopCarriesOutWhatIsSmallAlone() throws Exception {
    try (var caches = new DefaultCacheManager(new GlobalConfigurationBuilder().build())) {
      AdvancedCache<byte[], Object> cache = lists(caches);
      cache.put(key("small"), listOf(LargeCollections.ELEMENTS_MAX));
      cache.put(key("large"), listOf(LargeCollections.ELEMENTS_MAX + 1));
      cache.put(key("text"), key("x".repeat(100_000)));
      for (String small : new String[] {"small", "text", "absent"}) {
        assertThat(threadOf(cache, small)).as(small).isEqualTo(LOOP);
      }
      assertThat(threadOf(cache, "large")).isNotEqualTo(LOOP);
    }
  }

  /// LARGE-3
  @Test
  void aLoopCarriesOutNoWriteThatAddsMany() throws Exception {
    try (var caches = new DefaultCacheManager(new GlobalConfigurationBuilder().build())) {
      AdvancedCache<byte[], Object> cache = lists(caches);
      assertThat(threadOf(cache, "absent", LargeCollections.ELEMENTS_MAX)).isEqualTo(LOOP);
      assertThat(threadOf(cache, "absent", LargeCollections.ELEMENTS_MAX + 1)).isNotEqualTo(LOOP);
    }
  }

  private static AdvancedCache<byte[], Object> lists(DefaultCacheManager caches) {
    var definition = new ConfigurationBuilder();
    definition.encoding().key().mediaType(MediaType.APPLICATION_OCTET_STREAM);
    definition.encoding().value().mediaType(MediaType.APPLICATION_OBJECT);
    AdvancedCache<byte[], Object> cache =
        caches.<byte[], Object>createCache("lists", definition.build()).getAdvancedCache();
    ComponentRegistry parts = ComponentRegistry.of(cache);
    LargeCollections.add(parts, cache.getCacheConfiguration());
    LargeCollections.add(parts, cache.getCacheConfiguration());
    return cache;
  }

  private static byte[] key(String name) {
    return name.getBytes(UTF_8);
  }

  private static ListBucket<byte[]> listOf(int elements) {
    return ListBucket.create(Collections.nCopies(elements, key("e")));
  }

  /// The thread that a function is carried out by when an event loop asks for it.
  private static String threadOf(AdvancedCache<byte[], Object> cache, String name)
      throws Exception {
    return threadOf(cache, name, 1);
  }

  /// The same of a function that adds so many elements, and whether the next one that adds one is
  /// carried out by the loop again.
  private static String threadOf(AdvancedCache<byte[], Object> cache, String name, int added)
      throws Exception {
    ReadWriteMap<byte[], Object> map = ReadWriteMapImpl.create(FunctionalMapImpl.create(cache));
    var thread = new CompletableFuture<String>();
    var next = new CompletableFuture<String>();
    Runnable call =
        () -> {
          LargeCollections.adding(
                  added, () -> map.eval(key(name), _ -> Thread.currentThread().getName()))
              .whenComplete((found, failure) -> {
                if (failure == null) {
                  thread.complete(found);
                } else {
                  thread.completeExceptionally(failure);
                }
              });
          map.eval(key("next"), _ -> Thread.currentThread().getName()).thenAccept(next::complete);
        };
    new Thread(new Loops(), call, LOOP).start();
    assertThat(next.get(30, TimeUnit.SECONDS)).isEqualTo(LOOP);
    return thread.get(30, TimeUnit.SECONDS);
  }
}
