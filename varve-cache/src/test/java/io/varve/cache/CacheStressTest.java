package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import javax.cache.Cache;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Many threads change few keys, which keep moving between heap and pages: no change is lost.
@Timeout(120)
class CacheStressTest {
  private static final int KEYS = 60;
  private static final int THREADS = 8;

  @ParameterizedTest
  @EnumSource
  void noIncrementIsLost(StorageMode mode) throws Exception {
    CacheOptions<Integer, Integer> options = new CacheOptions<>();
    options.setTypes(Integer.class, Integer.class);
    options.mode(mode).segments(8).durability(Durability.BACKGROUND);
    if (mode.hasPages()) {
      options.heapEntriesMax(10);
    }
    AtomicIntegerArray expected = new AtomicIntegerArray(KEYS);
    try (VarveCachingProvider provider = new VarveCachingProvider();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Cache<Integer, Integer> cache = provider.getCacheManager().createCache("c", options);
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        SplittableRandom random = new SplittableRandom(thread);
        running.add(threads.submit(() -> increment(cache, expected, random)));
      }
      for (Future<?> each : running) {
        each.get();
      }
      for (int key = 0; key < KEYS; key++) {
        Integer found = cache.get(key);
        assertThat(found == null ? 0 : found).as("key %s", key).isEqualTo(expected.get(key));
      }
      assertThat(cache.unwrap(VarveCache.class).size()).isEqualTo(KEYS);
    }
  }

  private static void increment(
      Cache<Integer, Integer> cache, AtomicIntegerArray expected, SplittableRandom random) {
    for (int i = 0; i < 2000; i++) {
      int key = random.nextInt(KEYS);
      switch (random.nextInt(3)) {
        case 0 -> {
          cache.invoke(
              key,
              (entry, _) -> {
                entry.setValue(entry.exists() ? entry.getValue() + 1 : 1);
                return null;
              });
          expected.incrementAndGet(key);
        }
        case 1 -> {
          Integer before = cache.get(key);
          boolean done =
              before == null ? cache.putIfAbsent(key, 1) : cache.replace(key, before, before + 1);
          if (done) {
            expected.incrementAndGet(key);
          }
        }
        default -> cache.get(random.nextInt(KEYS));
      }
    }
  }
}
