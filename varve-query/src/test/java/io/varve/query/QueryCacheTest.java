package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.benmanes.caffeine.jcache.spi.CaffeineCachingProvider;
import io.varve.Store;
import io.varve.cache.CacheOptions;
import io.varve.cache.StorageMode;
import io.varve.cache.VarveCachingProvider;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.spi.CachingProvider;
import org.ehcache.jsr107.EhcacheCachingProvider;
import org.jsr107.ri.spi.RICachingProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Caches with indexes of their objects: no query gives what the cache has not, and none misses
/// what the cache has reported to its listeners.
class QueryCacheTest {
  private static final QueryTable<Long, Sample> SAMPLES = ObjectChecks.SAMPLES;

  enum Kind {
    HEAP,
    TIERED,
    OVERFLOW,
    PAGES,
    CAFFEINE,
    EHCACHE,
    REFERENCE;

    CachingProvider provider() {
      return switch (this) {
        case HEAP, TIERED, OVERFLOW, PAGES -> new VarveCachingProvider();
        case CAFFEINE -> new CaffeineCachingProvider();
        case EHCACHE -> new EhcacheCachingProvider();
        case REFERENCE -> new RICachingProvider();
      };
    }

    MutableConfiguration<Long, Sample> configuration() {
      return switch (this) {
        case HEAP, TIERED, OVERFLOW, PAGES ->
            new CacheOptions<Long, Sample>().mode(StorageMode.valueOf(name()));
        case CAFFEINE, EHCACHE, REFERENCE -> new MutableConfiguration<>();
      };
    }
  }

  /// Gives a cache with indexes to a test.
  private static void with(
      Kind kind,
      Consumer<MutableConfiguration<Long, Sample>> options,
      Consumer<QueryCache<Long, Sample>> test) {
    try (CachingProvider provider = kind.provider();
        CacheManager manager = provider.getCacheManager();
        Store store = Store.inMemory()) {
      MutableConfiguration<Long, Sample> configuration = kind.configuration();
      configuration.setTypes(Long.class, Sample.class);
      options.accept(configuration);
      Cache<Long, Sample> cache = manager.createCache("samples", configuration);
      cache.put(1000L, Sample.of(1)); // before it is followed
      try (QueryCache<Long, Sample> followed = QueryCache.over(cache, store, SAMPLES)) {
        test.accept(followed);
      }
    }
  }

  private static Map<Long, Sample> contents(Cache<Long, Sample> cache) {
    Map<Long, Sample> contents = new HashMap<>();
    cache.forEach(entry -> contents.put(entry.getKey(), entry.getValue()));
    return contents;
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void changesOfTheCacheAreFollowed(Kind kind) {
    long seed = Long.getLong("varve.seed", 5);
    Random random = new Random(seed);
    with(
        kind,
        _ -> {},
        followed -> {
          assertThat(followed.table(SAMPLES).all().count()).isEqualTo(1);
          int changes = Integer.getInteger("varve.query.changes", 1500);
          for (int round = 1; round <= changes; round++) {
            change(followed.cache(), random, round);
            if (round % 300 == 0) {
              ObjectChecks.assertAnswers(
                  followed.table(SAMPLES), contents(followed.cache()), random, "seed=" + seed);
            }
          }
          followed.reconcile();
          assertThat(followed.reconcile().isClean()).as("seed=%s", seed).isTrue();
          ObjectChecks.assertVerified(followed.table(SAMPLES));
        });
  }

  private static void change(Cache<Long, Sample> cache, Random random, int round) {
    long key = random.nextInt(100);
    Sample sample = Sample.of(random.nextInt(300));
    switch (random.nextInt(14)) {
      case 0, 1, 2 -> cache.put(key, sample);
      case 3 -> cache.putAll(new HashMap<>(Map.of(key, sample, key + 100, sample)));
      case 4 -> cache.putIfAbsent(key, sample);
      case 5 -> cache.getAndPut(key, sample);
      case 6 -> cache.replace(key, sample);
      case 7 -> cache.getAndReplace(key, sample);
      case 8 -> cache.remove(key + 100);
      case 9 -> cache.getAndRemove(key);
      case 10 -> cache.removeAll(new HashSet<>(Set.of(key, key + 1)));
      case 11 ->
          cache.invoke(
              key,
              (entry, _) -> {
                entry.setValue(sample);
                return null;
              });
      case 12 ->
          cache.invoke(
              key,
              (entry, _) -> {
                entry.remove();
                return null;
              });
      default -> {
        Iterator<Cache.Entry<Long, Sample>> entries = cache.iterator();
        if (entries.hasNext()) {
          entries.next();
          entries.remove();
        }
      }
    }
    if (round % 700 == 0) {
      cache.clear(); // no listener hears of it
    } else if (round % 900 == 0) {
      cache.removeAll();
    }
  }

  /// What has ended is not found, whether or not a listener was notified.
  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatHasExpiredIsNotFound(Kind kind) {
    with(
        kind,
        options -> options.setExpiryPolicyFactory(EndsWhenUpdated::new),
        followed -> {
          followed.cache().put(1L, Sample.of(1));
          followed.cache().put(2L, Sample.of(2));
          followed.cache().put(2L, Sample.of(3));
          try (var keys = followed.table(SAMPLES).all().keys()) {
            assertThat(keys).containsExactly(1L, 1000L);
          }
          assertThat(followed.table(SAMPLES).where(Sample.NUMBER.le(3L)).count()).isEqualTo(2);
        });
  }

  /// An entry ends when it gets another value.
  private static final class EndsWhenUpdated implements ExpiryPolicy {
    @Override
    public Duration getExpiryForCreation() {
      return Duration.ETERNAL;
    }

    @Override
    public Duration getExpiryForAccess() {
      return Duration.ETERNAL;
    }

    @Override
    public Duration getExpiryForUpdate() {
      return Duration.ZERO;
    }
  }

  /// Queries load nothing; what was loaded is found.
  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatIsLoadedIsFound(Kind kind) {
    with(
        kind,
        options -> options.setReadThrough(true).setCacheLoaderFactory(Samples::new),
        followed -> {
          assertThat(followed.cache().get(7L)).isEqualTo(Sample.of(7));
          assertThat(followed.reconcile().isClean()).isTrue(); // all of these report loads
          ObjectTable<Long, Sample> samples = followed.table(SAMPLES);
          assertThat(samples.where(Sample.NUMBER.eq(7L)).list()).containsExactly(Sample.of(7));
          followed.cache().clear();
          assertThat(samples.all().list()).isEmpty();
          assertThat(followed.cache().containsKey(7L)).isFalse();
          assertThat(followed.reconcile().removed()).isEqualTo(2);
        });
  }

  private static final class Samples implements CacheLoader<Long, Sample> {
    @Override
    public Sample load(Long key) {
      return Sample.of(key);
    }

    @Override
    public Map<Long, Sample> loadAll(Iterable<? extends Long> keys) {
      Map<Long, Sample> loaded = new HashMap<>();
      keys.forEach(key -> loaded.put(key, load(key)));
      return loaded;
    }
  }

  @Test
  void whatWasEvictedIsNotFound() {
    with(
        Kind.HEAP,
        options -> ((CacheOptions<Long, Sample>) options).heapEntriesMax(50),
        followed -> {
          for (long key = 0; key < 500; key++) {
            followed.cache().put(key, Sample.of(key));
          }
          assertThat(followed.table(SAMPLES).where(Sample.CITY.eq("Bonn")).list())
              .allMatch(sample -> "Bonn".equals(sample.city()));
          while (contents(followed.cache()).size() > 50) {
            Thread.onSpinWait(); // threads of the cache evict
          }
          ObjectChecks.assertAnswers(
              followed.table(SAMPLES), contents(followed.cache()), new Random(1), "evicted");
          assertThat(followed.reconcile().removed()).isPositive();
          assertThat(followed.reconcile().isClean()).isTrue();
        });
  }

  @Test
  void queriesChangeTheCacheAndUniqueIndexesAreRefused() {
    with(
        Kind.PAGES,
        _ -> {},
        followed -> {
          ObjectTable<Long, Sample> samples = followed.table(SAMPLES);
          assertThat(samples.all().update(_ -> Sample.of(2))).isEqualTo(1);
          assertThat(followed.cache().get(1000L)).isEqualTo(Sample.of(2));
          assertThat(samples.queries().query("delete from samples").update()).isEqualTo(1);
          assertThat(followed.cache()).isEmpty();
          try (Store store = Store.inMemory()) {
            assertThatThrownBy(
                    () -> QueryCache.over(followed.cache(), store, SAMPLES.uniqueIndex("number")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be unique");
          }
        });
  }
}
