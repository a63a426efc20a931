package io.varve.cache;

import static io.varve.cache.ListenedCaches.KEYS;
import static io.varve.cache.ListenedCaches.await;
import static io.varve.cache.ListenedCaches.awaitHeard;
import static io.varve.cache.ListenedCaches.batches;
import static io.varve.cache.ListenedCaches.hearing;
import static io.varve.cache.ListenedCaches.options;
import static io.varve.cache.ListenedCaches.varve;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cache.ListenedCaches.Batches;
import io.varve.cache.ListenedCaches.Way;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Listeners that hear of what is there, and of changes from then on.
@Timeout(120)
class CacheListenerTest {
  private static final int THREADS = 6;
  private static final int CHANGES = 2000;

  private final TestClock clock = new TestClock();
  private final CacheManager manager = clock.manager(null);

  @TempDir private Path directory;

  @AfterEach
  void closeManager() {
    manager.close();
  }

  private Cache<Integer, Long> newCache(StorageMode mode) {
    return manager.createCache("c", options(mode));
  }

  /// Registers listeners of each kind, twice, while many threads change entries that move between
  /// heap and pages: each listener ends with the cache, and has heard nothing that did not fit.
  @ParameterizedTest
  @EnumSource
  void whatIsThereAndWhatChangesAddUp(StorageMode mode) throws Exception {
    Cache<Integer, Long> cache = newCache(mode);
    for (int key = 0; key < KEYS; key++) {
      cache.put(key, (long) key);
    }
    List<MirrorListener<Integer, Long>> listeners = new ArrayList<>();
    AtomicInteger done = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        SplittableRandom random = new SplittableRandom(thread);
        running.add(threads.submit(() -> change(cache, random, done)));
      }
      for (int round = 0; round < 2; round++) {
        for (Way way : Way.values()) {
          MirrorListener<Integer, Long> listener = new MirrorListener<>();
          listeners.add(listener);
          cache.registerCacheEntryListener(hearing(listener, way));
        }
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    Map<Integer, Long> left = new HashMap<>();
    cache.forEach(entry -> left.put(entry.getKey(), entry.getValue()));
    for (MirrorListener<Integer, Long> listener : listeners) {
      await(() -> listener.mirror.equals(left) || !listener.faults.isEmpty());
      assertThat(listener.faults).isEmpty();
    }
    for (Way way : Way.values()) {
      requireReplayed(cache, way, left.keySet());
    }
  }

  /// Without changes concurrently with it, since of one that coalesces these may replace the
  /// replay.
  private static void requireReplayed(Cache<Integer, Long> cache, Way way, Set<Integer> keys) {
    MirrorListener<Integer, Long> late = new MirrorListener<>();
    cache.registerCacheEntryListener(hearing(late, way));
    await(() -> late.heard.containsAll(keys));
    assertThat(late.replayed).isEqualTo(keys);
    assertThat(late.faults).isEmpty();
  }

  private static void change(Cache<Integer, Long> cache, SplittableRandom random, AtomicInteger n) {
    for (int i = 0; i < CHANGES; i++) {
      int key = random.nextInt(KEYS);
      long value = KEYS + n.incrementAndGet();
      switch (random.nextInt(5)) {
        case 0 -> cache.remove(key);
        case 1 -> cache.replace(key, value);
        case 2 ->
            cache.invoke(
                key,
                (entry, _) -> {
                  if (entry.exists()) {
                    entry.remove();
                  } else {
                    entry.setValue(value);
                  }
                  return null;
                });
        default -> cache.put(key, value);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsThereIsReportedOnceAndMarked(StorageMode mode) {
    Cache<Integer, Long> cache = newCache(mode);
    for (int key = 0; key < KEYS; key++) {
      cache.put(key, (long) key);
    }
    MirrorListener<Integer, Long> listener = new MirrorListener<>();
    cache.registerCacheEntryListener(hearing(listener, Way.SYNCHRONOUS));
    assertThat(listener.replayed).hasSize(KEYS);
    cache.put(KEYS, 1L);
    assertThat(listener.replayed).hasSize(KEYS);
    assertThat(listener.mirror).hasSize(KEYS + 1);
    assertThat(listener.faults).isEmpty();
  }

  @Test
  void whatHasEndedIsNotReported() {
    CacheOptions<Integer, Long> options = options(StorageMode.TIERED);
    options.setExpiryPolicyFactory(
        CreatedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.SECONDS, 10)));
    Cache<Integer, Long> cache = manager.createCache("c", options);
    cache.put(1, 1L);
    clock.move(Duration.ofSeconds(6));
    cache.put(2, 2L);
    clock.move(Duration.ofSeconds(6));
    MirrorListener<Integer, Long> listener = new MirrorListener<>();
    cache.registerCacheEntryListener(hearing(listener, Way.SYNCHRONOUS));
    assertThat(listener.mirror).isEqualTo(Map.of(2, 2L));
    clock.move(Duration.ofSeconds(6));
    assertThat(cache.get(2)).isNull();
    assertThat(listener.mirror).isEmpty();
    assertThat(listener.faults).isEmpty();
  }

  @Test
  void aListenerOfTheOptionsHearsWhatADirectoryHolds() {
    MirrorListener<Integer, Long> listener = new MirrorListener<>();
    try (CacheManager first = clock.manager(directory)) {
      first.createCache("c", options(StorageMode.OVERFLOW)).put(1, 10L);
    }
    try (CacheManager second = clock.manager(directory)) {
      CacheOptions<Integer, Long> options = options(StorageMode.OVERFLOW);
      options.addCacheEntryListenerConfiguration(hearing(listener, Way.SYNCHRONOUS));
      second.createCache("c", options);
      assertThat(listener.mirror).isEqualTo(Map.of(1, 10L));
      assertThat(listener.replayed).containsExactly(1);
    }
  }

  @Test
  void aListenerThatFailsAtWhatIsThereIsNotRegistered() {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    cache.put(1, 1L);
    CacheEntryCreatedListener<Integer, Long> failing =
        _ -> {
          throw new IllegalStateException("no");
        };
    var options =
        new CacheListenerOptions<Integer, Long>(() -> failing, null, false, true)
            .includeCurrentState(true);
    assertThatThrownBy(() -> cache.registerCacheEntryListener(options))
        .isInstanceOf(javax.cache.event.CacheEntryListenerException.class);
    cache.put(2, 2L);
  }

  @Test
  void theReplayWaitsForAListenerThatHearsOneByOne() throws InterruptedException {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    for (int key = 0; key < 3000; key++) {
      cache.put(key, 1L);
    }
    Batches listener = new Batches();
    Thread registrar =
        Thread.ofPlatform()
            .start(() ->
                cache.registerCacheEntryListener(
                    new CacheListenerOptions<Integer, Long>(() -> listener)
                        .includeCurrentState(true)));
    Stop.awaitWaiting(registrar);
    listener.mayHear.release(3000);
    registrar.join();
    awaitHeard(listener, 3000);
  }

  @Test
  void theReplayIsNotDropped() throws InterruptedException {
    Cache<Integer, Long> cache = newCache(StorageMode.HEAP);
    for (int key = 0; key < 1000; key++) {
      cache.put(key, 1L);
    }
    Batches listener = new Batches();
    listener.mayHear.release(1000);
    cache.registerCacheEntryListener(
        batches(listener, 100)
            .coalesce(100, Duration.ofHours(1))
            .includeCurrentState(true)
            .waitingKeysMax(10, WhenFull.DROP_OLDEST));
    awaitHeard(listener, 1000);
    assertThat(varve(cache).statistics().droppedEvents()).isZero();
  }
}
