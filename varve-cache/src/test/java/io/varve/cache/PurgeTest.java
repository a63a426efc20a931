package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Entries end by a clock of the test's own, and expired ones go without being asked for.
@Timeout(120)
class PurgeTest {
  private final TestClock clock = new TestClock();
  @TempDir Path directory;

  private CacheManager manager() {
    return clock.manager(null);
  }

  private static CacheOptions<Integer, String> options(StorageMode mode) {
    CacheOptions<Integer, String> options = new CacheOptions<>();
    options.setTypes(Integer.class, String.class);
    options.mode(mode);
    if (mode.hasPages()) {
      options.heapEntriesMax(100);
    }
    return options;
  }

  private static void awaitSize(VarveCache<?, ?> cache, long size) throws InterruptedException {
    while (cache.size() != size) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void expiredEntriesGoWithoutBeingAskedFor(StorageMode mode) throws Exception {
    CacheOptions<Integer, String> options = options(mode);
    options.setExpiryPolicyFactory(
        CreatedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.SECONDS, 10)));
    List<Integer> expired = new ArrayList<>();
    CacheEntryExpiredListener<Integer, String> listener =
        events -> events.forEach(event -> expired.add(event.getKey()));
    options.addCacheEntryListenerConfiguration(
        new MutableCacheEntryListenerConfiguration<>(
            new SingletonFactory<>(listener), null, true, true));
    try (CacheManager manager = manager()) {
      Cache<Integer, String> cache = manager.createCache("c", options);
      VarveCache<?, ?> sized = cache.unwrap(VarveCache.class);
      for (int i = 0; i < 3000; i++) {
        if (i == 2000) {
          clock.move(Duration.ofSeconds(5));
        }
        cache.put(i, "v" + i);
      }
      clock.move(Duration.ofSeconds(6));
      awaitSize(sized, 1000);
      for (int i = 0; i < 3000; i++) {
        assertThat(cache.get(i)).isEqualTo(i < 2000 ? null : "v" + i);
      }
      clock.move(Duration.ofSeconds(10));
      awaitSize(sized, 0);
      assertThat(Set.copyOf(expired)).hasSize(3000);
      assertThat(expired).hasSize(3000);
    }
  }

  /// An entry that is used lives longer than the end that its first index key has.
  @ParameterizedTest
  @EnumSource
  void usedEntriesStay(StorageMode mode) throws Exception {
    CacheOptions<Integer, String> options = options(mode);
    options.setExpiryPolicyFactory(
        TouchedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.SECONDS, 10)));
    try (CacheManager manager = manager()) {
      Cache<Integer, String> cache = manager.createCache("c", options);
      cache.put(1, "used");
      cache.put(2, "idle");
      for (int i = 0; i < 5; i++) {
        clock.move(Duration.ofSeconds(6));
        assertThat(cache.get(1)).isEqualTo("used");
      }
      awaitSize(cache.unwrap(VarveCache.class), 1);
      assertThat(cache.get(2)).isNull();
      assertThat(cache.get(1)).isEqualTo("used");
    }
  }

  /// Has each entry end after ten seconds, and notifies a listener.
  private static CacheOptions<Integer, String> endingAfterTenSeconds(
      StorageMode mode, CacheEntryExpiredListener<Integer, String> listener) {
    CacheOptions<Integer, String> options = options(mode);
    options.durability(Durability.BACKGROUND);
    options.setExpiryPolicyFactory(
        CreatedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.SECONDS, 10)));
    options.addCacheEntryListenerConfiguration(
        new MutableCacheEntryListenerConfiguration<>(
            new SingletonFactory<>(listener), null, false, true));
    return options;
  }

  /// A listener that fails, even with an error, keeps no entry, no other cache and no later purge.
  @ParameterizedTest
  @EnumSource
  void aListenerThatFailsKeepsNoEntry(StorageMode mode) throws Exception {
    Queue<Throwable> failures =
        new ConcurrentLinkedQueue<>(
            List.of(new IllegalStateException("a failure"), new AssertionError("an error")));
    try (CacheManager manager = manager()) {
      Cache<Integer, String> cache =
          manager.createCache(
              "c",
              endingAfterTenSeconds(
                  mode,
                  _ -> {
                    switch (failures.poll()) {
                      case RuntimeException e -> throw e;
                      case Error e -> throw e;
                      case null, default -> {}
                    }
                  }));
      Cache<Integer, String> other =
          manager.createCache("other", endingAfterTenSeconds(mode, _ -> {}));
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 500; i++) {
          cache.put(i, "v" + i);
          other.put(i, "v" + i);
        }
        clock.move(Duration.ofSeconds(11));
        awaitSize(cache.unwrap(VarveCache.class), 0);
        awaitSize(other.unwrap(VarveCache.class), 0);
      }
      assertThat(failures).isEmpty();
    }
  }

  /// An entry that a thread is changing does not keep those after it.
  @ParameterizedTest
  @EnumSource
  void anEntryInUseIsLeftToTheNextPurge(StorageMode mode) throws Exception {
    try (CacheManager manager = manager()) {
      Cache<Integer, String> cache = manager.createCache("c", endingAfterTenSeconds(mode, _ -> {}));
      VarveCache<?, ?> sized = cache.unwrap(VarveCache.class);
      for (int i = 0; i < 100; i++) {
        cache.put(i, "v" + i);
      }
      cache.invoke(
          0,
          (_, _) -> {
            clock.move(Duration.ofSeconds(11));
            try {
              awaitSize(sized, 1);
            } catch (InterruptedException e) {
              throw new AssertionError("no thread interrupts tests", e);
            }
            return null;
          });
      awaitSize(sized, 0);
      cache.put(1, "one");
      cache.invoke(
          1,
          (_, _) -> {
            clock.move(Duration.ofSeconds(11));
            cache.getCacheManager().close(); // waits for no purge, which may want this key
            return null;
          });
      assertThat(manager.isClosed()).isTrue();
    }
  }

  /// A cache that is closed in the middle of a purge is purged on when it opens again.
  @ParameterizedTest
  @EnumSource(names = {"TIERED", "OVERFLOW", "PAGES"})
  void aPurgeThatACloseBreaksOffContinues(StorageMode mode) throws Exception {
    Stop stop = new Stop();
    stop.arm();
    try (CacheManager manager = clock.manager(directory)) {
      Cache<Integer, String> cache =
          manager.createCache("c", endingAfterTenSeconds(mode, _ -> stop.pass()));
      for (int i = 0; i < 500; i++) {
        cache.put(i, "v" + i);
      }
      clock.move(Duration.ofSeconds(11));
      stop.awaitReached();
      cache.close();
      stop.release();
    }
    try (CacheManager manager = clock.manager(directory)) {
      VarveCache<?, ?> cache =
          manager.createCache("c", endingAfterTenSeconds(mode, _ -> {})).unwrap(VarveCache.class);
      awaitSize(cache, 0);
    }
    assertThat(keysInStore(_ -> true)).isZero();
  }

  /// Guards against index keys of ends that entries had before, which would gather for as long as
  /// the longest of them.
  @ParameterizedTest
  @EnumSource(names = {"TIERED", "OVERFLOW", "PAGES"})
  void anEntryHasOnePlaceInTheIndexOfEnds(StorageMode mode) {
    CacheOptions<Integer, String> options = options(mode);
    options.durability(Durability.BACKGROUND).heapEntriesMax(3);
    options.setExpiryPolicyFactory(
        TouchedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.DAYS, 1)));
    try (CacheManager manager = clock.manager(directory)) {
      Cache<Integer, String> cache = manager.createCache("c", options);
      SplittableRandom random = new SplittableRandom(7);
      for (int i = 0; i < 2000; i++) {
        clock.move(Duration.ofMillis(10));
        int key = random.nextInt(20);
        switch (random.nextInt(3)) {
          case 0 -> cache.put(key, "v" + i);
          case 1 -> cache.get(key);
          default -> cache.remove(key);
        }
      }
      for (int key = 0; key < 10; key++) {
        cache.put(key, "kept");
        cache.remove(key + 10);
      }
    }
    assertThat(keysInStore(key -> key[0] != (byte) 0xff)).as("entries").isEqualTo(10);
    assertThat(keysInStore(key -> key[0] == (byte) 0xff)).as("index keys").isEqualTo(10);
  }

  /// How many keys the spaces of the one cache in the store have.
  private long keysInStore(Predicate<byte[]> counted) {
    try (Store store = Store.open(directory)) {
      return store.spaceNames().stream()
          .filter(name -> name.startsWith("varve.cache-"))
          .flatMap(name ->
              StreamSupport.stream(store.space(name).scan(Range.all()).spliterator(), false))
          .filter(entry -> counted.test(entry.key()))
          .count();
    }
  }

  /// A duration that ends after the last millisecond that the clock knows has no end.
  @ParameterizedTest
  @EnumSource
  void longDurationsDoNotEndInThePast(StorageMode mode) {
    CacheOptions<Integer, String> options = options(mode);
    options.setExpiryPolicyFactory(
        CreatedExpiryPolicy.factoryOf(
            new javax.cache.expiry.Duration(TimeUnit.DAYS, Long.MAX_VALUE)));
    try (CacheManager manager = manager()) {
      clock.move(Duration.ofDays(1));
      Cache<Integer, String> cache = manager.createCache("c", options);
      cache.put(1, "one");
      assertThat(cache.get(1)).isEqualTo("one");
    }
  }
}
