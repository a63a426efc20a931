package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cache.internal.jcache.JCacheManager;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Entries end by a clock of the test's own, and expired ones go without being asked for.
@Timeout(120)
class PurgeTest {
  private final TestClock clock = new TestClock();

  private CacheManager manager() {
    return new JCacheManager(
        new VarveCachingProvider(),
        URI.create("varve:test"),
        getClass().getClassLoader(),
        new Properties(),
        null,
        clock,
        _ -> {});
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

  /// An entry that is used lives longer than the end that its first place in the index says.
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
}
