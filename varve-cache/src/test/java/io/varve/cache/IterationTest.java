package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Iterators that were opened before entries changed: a walk may hold a copy of what it is about to
/// give.
class IterationTest {
  private static final int ENTRIES = 50;
  private static final long TOUCHED_SECONDS = 10;

  private final TestClock clock = new TestClock();
  @TempDir Path directory;

  private static Cache<Integer, String> filled(CacheManager manager, StorageMode mode) {
    CacheOptions<Integer, String> options =
        new CacheOptions<Integer, String>()
            .mode(mode)
            .segments(1)
            .durability(Durability.BACKGROUND);
    options.setTypes(Integer.class, String.class);
    options.setExpiryPolicyFactory(
        TouchedExpiryPolicy.factoryOf(
            new javax.cache.expiry.Duration(TimeUnit.SECONDS, TOUCHED_SECONDS)));
    Cache<Integer, String> cache = manager.createCache("c", options);
    for (int key = 0; key < ENTRIES; key++) {
      cache.put(key, "old");
    }
    return cache;
  }

  private static Iterator<Cache.Entry<Integer, String>> begun(Cache<Integer, String> cache) {
    Iterator<Cache.Entry<Integer, String>> entries = cache.iterator();
    entries.next();
    return entries;
  }

  @ParameterizedTest
  @EnumSource
  void entriesThatLiveLongerSinceTheIterationBeganAreGiven(StorageMode mode) {
    try (CacheManager manager = clock.manager(directory)) {
      Cache<Integer, String> cache = filled(manager, mode);
      Iterator<Cache.Entry<Integer, String>> entries = begun(cache);
      clock.move(Duration.ofSeconds(TOUCHED_SECONDS - 4));
      cache.forEach(entry -> assertThat(entry.getValue()).isEqualTo("old")); // touches each
      clock.move(Duration.ofSeconds(TOUCHED_SECONDS - 4));
      assertThat(entries).toIterable().hasSize(ENTRIES - 1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsGivenIsThereWithItsNewestValue(StorageMode mode) {
    try (CacheManager manager = clock.manager(directory)) {
      Cache<Integer, String> cache = filled(manager, mode);
      Iterator<Cache.Entry<Integer, String>> entries = begun(cache);
      for (int key = 0; key < ENTRIES; key++) {
        if (key % 2 == 0) {
          cache.remove(key);
        } else {
          cache.put(key, "new");
        }
      }
      assertThat(entries)
          .toIterable()
          .isNotEmpty()
          .allSatisfy(entry -> {
            assertThat(entry.getKey() % 2).isEqualTo(1);
            assertThat(entry.getValue()).isEqualTo("new");
          });
    }
  }
}
