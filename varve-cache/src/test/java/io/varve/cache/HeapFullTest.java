package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A cache on the heap that refuses entries for which there is no capacity, and loses none.
@Timeout(60)
class HeapFullTest {
  private final TestClock clock = new TestClock();

  private static CacheOptions<String, String> refusing() {
    CacheOptions<String, String> options = new CacheOptions<>();
    options.setTypes(String.class, String.class);
    return options.mode(StorageMode.HEAP).heapFull(HeapFull.REFUSE);
  }

  @SuppressWarnings("unchecked") // made with these types
  private static VarveCache<String, String> open(
      CacheManager manager, CacheOptions<String, String> options) {
    return manager.createCache("c", options).unwrap(VarveCache.class);
  }

  private static void assertFull(Runnable change, String expected) {
    assertThatThrownBy(change::run)
        .isInstanceOf(CacheFullException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void moreEntriesThanAllowedAreRefused() {
    try (CacheManager manager = clock.manager(null)) {
      VarveCache<String, String> cache = open(manager, refusing().heapEntriesMax(3));
      for (String key : List.of("a", "b", "c")) {
        cache.put(key, "1");
      }
      assertFull(() -> cache.put("d", "1"), "heapEntriesMax=3, taken=3, wanted=1");
      assertFull(() -> cache.putIfAbsent("d", "1"), "heapEntriesMax=3");
      assertFull(() -> cache.putAll(Map.of("d", "1")), "heapEntriesMax=3");
      assertThat(cache.get("d")).isNull();
      assertThat(cache.with(Flag.FAIL_SILENTLY).putIfAbsent("d", "1")).isFalse();
      cache.put("a", "2"); // takes the slot that it has
      assertThat(cache.getAndRemove("b")).isEqualTo("1");
      cache.put("d", "1");
      assertFull(() -> cache.put("e", "1"), "taken=3");
      assertThat(cache.asMap()).isEqualTo(Map.of("a", "2", "c", "1", "d", "1"));
      assertThat(cache.statistics().evictions()).isZero();
      cache.clear();
      for (int i = 0; i < 3; i++) {
        cache.put("k" + i, "1");
      }
      assertFull(() -> cache.put("k3", "1"), "taken=3");
    }
  }

  /// A longer value of a key that is there is refused, too, and the shorter one stays.
  @Test
  void moreBytesThanAllowedAreRefused() {
    try (CacheManager manager = clock.manager(null)) {
      VarveCache<String, String> cache = open(manager, refusing().heapBytesMax(2000));
      cache.put("a", "x".repeat(500));
      cache.put("b", "x".repeat(500));
      assertFull(() -> cache.put("a", "x".repeat(1500)), "heapBytesMax=2000");
      assertThat(cache.get("a")).hasSize(500);
      cache.put("a", "x");
      cache.put("b", "x".repeat(1500));
      assertThat(cache.get("b")).hasSize(1500);
      cache.remove("b");
      cache.put("c", "x".repeat(1500));
    }
  }

  /// Expired entries free capacity once they are removed, at the latest by a purge.
  @Test
  void entriesThatExpireFreeCapacity() throws Exception {
    try (CacheManager manager = clock.manager(null)) {
      VarveCache<String, String> cache = open(manager, refusing().heapEntriesMax(2));
      cache.put("a", "1", Duration.ofSeconds(1));
      cache.put("b", "1", Duration.ofSeconds(1));
      clock.move(Duration.ofSeconds(1));
      while (cache.size() > 0) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      cache.putAll(Map.of("c", "1", "d", "1"));
    }
  }

  /// Many threads add and remove: never more than allowed, and all capacity is there in the end.
  @Test
  void threadsNeverExceedTheBound() throws Exception {
    try (CacheManager manager = clock.manager(null)) {
      VarveCache<String, String> cache = open(manager, refusing().heapEntriesMax(50));
      AtomicInteger refusals = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int first = t * 1000;
        threads.add(
            Thread.ofVirtual()
                .start(() -> {
                  for (int i = 0; i < 3000; i++) {
                    String key = "k" + (first + i % 40);
                    try {
                      cache.put(key, "1");
                    } catch (CacheFullException e) {
                      refusals.incrementAndGet();
                      cache.remove("k" + (first + i % 7));
                    }
                    assertThat(cache.size()).isLessThanOrEqualTo(54); // counted a little later
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(refusals).hasPositiveValue();
      assertThat(cache.size()).isLessThanOrEqualTo(50);
      cache.removeAll();
      for (int i = 0; i < 50; i++) {
        cache.put("k" + i, "1");
      }
      assertFull(() -> cache.put("k50", "1"), "taken=50");
    }
  }

  /// What a read loads is given, kept or not; what a writer has written is not shown as it was.
  @Test
  void sourcesAndAFullCache() {
    Map<String, String> rows = new HashMap<>(Map.of("a", "1", "b", "2"));
    CacheOptions<String, String> options = refusing().heapBytesMax(400);
    options.setReadThrough(true);
    options.setCacheLoaderFactory(
        new SingletonFactory<>(
            new CacheLoader<String, String>() {
              @Override
              public String load(String key) {
                return rows.get(key);
              }

              @Override
              public Map<String, String> loadAll(Iterable<? extends String> keys) {
                return Map.of();
              }
            }));
    try (CacheManager manager = clock.manager(null)) {
      VarveCache<String, String> cache = open(manager, options);
      cache.put("c", "x".repeat(200));
      assertThat(cache.get("a")).isEqualTo("1");
      assertThat(cache.get("b")).isEqualTo("2");
      assertThat(cache.size()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyABoundedHeapCanRefuse(StorageMode mode) {
    try (CacheManager manager = clock.manager(null)) {
      CacheOptions<String, String> options = refusing().mode(mode);
      if (mode != StorageMode.HEAP) {
        options.heapEntriesMax(10);
      }
      assertThatThrownBy(() -> manager.createCache("c", options))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("heapEntriesMax or heapBytesMax");
      Cache<String, String> evicting =
          manager.createCache("c", new CacheOptions<>(options).heapFull(HeapFull.EVICT));
      evicting.put("a", "1");
      assertThat(evicting.get("a")).isEqualTo("1");
    }
  }
}
