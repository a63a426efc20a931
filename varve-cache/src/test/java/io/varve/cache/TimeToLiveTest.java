package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.cache.CacheManager;
import javax.cache.configuration.Factory;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Entries that live for a time of their own, in every storage mode, by a clock of the test's own.
@Timeout(60)
class TimeToLiveTest {
  private static final Duration HOUR = Duration.ofHours(1);

  /// No purge comes by: what has ended must not be given out for that reason alone.
  private static final Duration NO_PURGE = Duration.ofDays(1);

  private final TestClock clock = new TestClock();
  @TempDir Path directory;

  @SuppressWarnings("unchecked") // made with these types
  private static VarveCache<String, String> open(
      CacheManager manager, StorageMode mode, Factory<ExpiryPolicy> policy) {
    CacheOptions<String, String> options = new CacheOptions<>();
    options.setTypes(String.class, String.class);
    options.mode(mode);
    if (mode.hasPages()) {
      options.heapEntriesMax(100);
    }
    options.setExpiryPolicyFactory(policy);
    return manager.createCache("c", options).unwrap(VarveCache.class);
  }

  private static javax.cache.expiry.Duration minutes(int count) {
    return new javax.cache.expiry.Duration(TimeUnit.MINUTES, count);
  }

  @ParameterizedTest
  @EnumSource
  void anEntryEndsAtItsOwnTimeAndNotBefore(StorageMode mode) {
    try (CacheManager manager = clock.manager(null, NO_PURGE)) {
      VarveCache<String, String> cache =
          open(manager, mode, CreatedExpiryPolicy.factoryOf(minutes(30)));
      Instant start = clock.instant();
      cache.put("short", "1", Duration.ofSeconds(10));
      cache.put("long", "2", HOUR);
      cache.put("as the policy", "3");
      assertThat(cache.expiresAt("short")).contains(start.plusSeconds(10));
      assertThat(cache.expiresAt("as the policy")).contains(start.plus(Duration.ofMinutes(30)));
      clock.move(Duration.ofMillis(9_999));
      assertThat(cache.get("short")).isEqualTo("1");
      clock.move(Duration.ofMillis(1));
      assertThat(cache.get("short")).isNull();
      assertThat(cache.containsKey("short")).isFalse();
      assertThat(cache.expiresAt("short")).isEmpty();
      assertThat(cache.getAll(Set.of("short", "long"))).containsOnlyKeys("long");
      clock.move(Duration.ofMinutes(30));
      assertThat(cache.get("as the policy")).isNull();
      assertThat(cache.get("long")).isEqualTo("2");
    }
  }

  /// Each way to see entries leaves out one that has ended, before any purge.
  @ParameterizedTest
  @EnumSource
  void nobodySeesWhatHasEnded(StorageMode mode) {
    try (CacheManager manager = clock.manager(null, NO_PURGE)) {
      VarveCache<String, String> cache =
          open(manager, mode, CreatedExpiryPolicy.factoryOf(minutes(30)));
      cache.put("gone", "1", Duration.ofSeconds(10));
      cache.put("there", "2");
      clock.move(Duration.ofSeconds(10));
      List<String> keys = new ArrayList<>();
      cache.forEach(entry -> keys.add(entry.getKey()));
      assertThat(keys).containsExactly("there");
      try (var entries = cache.stream()) {
        assertThat(entries.map(CacheEntry::getKey)).containsExactly("there");
      }
      assertThat(cache.asMap().containsKey("gone")).isFalse();
      assertThat(cache.replace("gone", "3")).isFalse();
      assertThat(cache.getAndRemove("gone")).isNull();
      boolean existed = cache.invoke("gone", (entry, _) -> entry.exists());
      assertThat(existed).isFalse();
    }
  }

  /// The time that a loader or a processor takes is no part of the time to live.
  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("unchecked") // made with these types
  void theTimeBeginsWhenTheValueIsThere(StorageMode mode) {
    try (CacheManager manager = clock.manager(null, NO_PURGE)) {
      CacheOptions<String, String> options = new CacheOptions<>();
      options.setTypes(String.class, String.class);
      options.setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(minutes(2)));
      options.setReadThrough(true);
      options.setCacheLoaderFactory(
          new SingletonFactory<>(
              new CacheLoader<String, String>() {
                @Override
                public String load(String key) {
                  clock.move(Duration.ofMinutes(3));
                  return "loaded";
                }

                @Override
                public Map<String, String> loadAll(Iterable<? extends String> keys) {
                  return Map.of();
                }
              }));
      VarveCache<String, String> cache =
          manager.createCache("slow", options.mode(mode)).unwrap(VarveCache.class);
      assertThat(cache.get("a")).isEqualTo("loaded");
      assertThat(cache.expiresAt("a")).contains(clock.instant().plus(Duration.ofMinutes(2)));
      for (String value : List.of("created", "set after its entry has ended")) {
        cache.invoke(
            "b",
            (entry, _) -> {
              clock.move(Duration.ofMinutes(3));
              entry.setValue(value);
              return null;
            });
        assertThat(cache.expiresAt("b")).contains(clock.instant().plus(Duration.ofMinutes(2)));
        assertThat(cache.get("b")).isEqualTo(value);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPurgeRemovesWhatHasEnded(StorageMode mode) throws Exception {
    try (CacheManager manager = clock.manager(null)) {
      VarveCache<String, String> cache =
          open(manager, mode, CreatedExpiryPolicy.factoryOf(javax.cache.expiry.Duration.ETERNAL));
      for (int i = 0; i < 500; i++) {
        cache.put("k" + i, "v", Duration.ofSeconds(1 + i % 2));
      }
      clock.move(Duration.ofSeconds(1));
      while (cache.size() != 250) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      assertThat(cache.get("k1")).isEqualTo("v");
    }
  }

  /// The next put without a time has the end that the policy sets.
  @ParameterizedTest
  @EnumSource
  void aLaterPutIsAskedOfThePolicy(StorageMode mode) {
    try (CacheManager manager = clock.manager(null, NO_PURGE)) {
      VarveCache<String, String> cache =
          open(manager, mode, ModifiedExpiryPolicy.factoryOf(minutes(30)));
      cache.put("a", "1", HOUR);
      cache.put("a", "2");
      assertThat(cache.expiresAt("a")).contains(Instant.EPOCH.plus(Duration.ofMinutes(30)));
      cache.put("a", "3", Duration.ofSeconds(10));
      assertThat(cache.expiresAt("a")).contains(Instant.EPOCH.plusSeconds(10));
    }
  }

  /// A policy that counts from creation or change leaves the end alone when an entry is read; one
  /// that counts from the last use moves it, and a look at the end is no use.
  @ParameterizedTest
  @EnumSource
  void readsMoveTheEndIfThePolicyDoes(StorageMode mode) {
    try (CacheManager manager = clock.manager(null, NO_PURGE)) {
      VarveCache<String, String> cache =
          open(manager, mode, CreatedExpiryPolicy.factoryOf(minutes(30)));
      cache.put("a", "1", HOUR);
      cache.get("a");
      assertThat(cache.expiresAt("a")).contains(Instant.EPOCH.plus(HOUR));
    }
    try (CacheManager manager = clock.manager(null, NO_PURGE)) {
      VarveCache<String, String> cache =
          open(manager, mode, TouchedExpiryPolicy.factoryOf(minutes(30)));
      cache.put("a", "1", HOUR);
      assertThat(cache.expiresAt("a")).contains(Instant.EPOCH.plus(HOUR));
      cache.get("a");
      assertThat(cache.expiresAt("a")).contains(Instant.EPOCH.plus(Duration.ofMinutes(30)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyAnAbsentKeyIsPut(StorageMode mode) {
    try (CacheManager manager = clock.manager(null, NO_PURGE)) {
      VarveCache<String, String> cache =
          open(manager, mode, CreatedExpiryPolicy.factoryOf(minutes(30)));
      assertThat(cache.putIfAbsent("lock", "1", Duration.ofSeconds(10))).isTrue();
      assertThat(cache.putIfAbsent("lock", "2", HOUR)).isFalse();
      clock.move(Duration.ofSeconds(10));
      assertThat(cache.putIfAbsent("lock", "2", HOUR)).isTrue();
      assertThat(cache.get("lock")).isEqualTo("2");
    }
  }

  /// Calls of a view ask its policy: of many keys, of processors, of reads.
  @ParameterizedTest
  @EnumSource
  void aViewHasAPolicyOfItsOwn(StorageMode mode) {
    try (CacheManager manager = clock.manager(null, NO_PURGE)) {
      VarveCache<String, String> cache =
          open(manager, mode, CreatedExpiryPolicy.factoryOf(javax.cache.expiry.Duration.ETERNAL));
      VarveCache<String, String> brief = cache.withExpiry(new AccessedExpiryPolicy(minutes(1)));
      Instant inAMinute = Instant.EPOCH.plusSeconds(60);
      brief.putAll(Map.of("a", "1", "b", "2"));
      brief.getAndPut("c", "3");
      brief.invoke(
          "d",
          (entry, _) -> {
            entry.setValue("4");
            return null;
          });
      for (String key : List.of("a", "b", "c", "d")) {
        assertThat(cache.expiresAt(key)).as(key).contains(inAMinute);
      }
      cache.put("e", "5");
      assertThat(cache.expiresAt("e")).contains(Instant.MAX);
      assertThat(brief.with(Flag.FAIL_SILENTLY).get("e")).isEqualTo("5");
      assertThat(cache.expiresAt("e")).contains(inAMinute);
      clock.move(Duration.ofSeconds(30));
      cache.with(Flag.FAIL_SILENTLY).withExpiry(new AccessedExpiryPolicy(minutes(1))).get("a");
      assertThat(cache.expiresAt("a")).contains(inAMinute.plusSeconds(30));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"TIERED", "OVERFLOW", "PAGES"})
  void theEndIsKeptWithTheEntry(StorageMode mode) {
    Factory<ExpiryPolicy> policy = CreatedExpiryPolicy.factoryOf(minutes(30));
    try (CacheManager manager = clock.manager(directory, NO_PURGE)) {
      VarveCache<String, String> cache = open(manager, mode, policy);
      cache.put("a", "1", HOUR);
      cache.put("b", "2", Duration.ofSeconds(10));
    }
    clock.move(Duration.ofSeconds(10));
    try (CacheManager manager = clock.manager(directory, NO_PURGE)) {
      VarveCache<String, String> cache = open(manager, mode, policy);
      assertThat(cache.expiresAt("a")).contains(Instant.EPOCH.plus(HOUR));
      assertThat(cache.get("b")).isNull();
      clock.move(Duration.ofMinutes(59));
      assertThat(cache.get("a")).isEqualTo("1");
      clock.move(Duration.ofMinutes(1));
      assertThat(cache.get("a")).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void timesThatAreNoneAreRefused(StorageMode mode) {
    try (CacheManager manager = clock.manager(null, NO_PURGE)) {
      VarveCache<String, String> cache =
          open(manager, mode, CreatedExpiryPolicy.factoryOf(minutes(30)));
      for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
        assertThatThrownBy(() -> cache.put("a", "1", none))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("ttl=" + none);
      }
      cache.put("a", "1", Duration.ofNanos(1)); // never before it
      assertThat(cache.get("a")).isEqualTo("1");
      clock.move(Duration.ofMillis(1));
      assertThat(cache.get("a")).isNull();
      cache.put("a", "1", Duration.ofSeconds(Long.MAX_VALUE));
      assertThat(cache.expiresAt("a")).contains(Instant.MAX);
    }
  }
}
