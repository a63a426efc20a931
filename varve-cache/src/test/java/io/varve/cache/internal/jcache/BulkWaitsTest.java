package io.varve.cache.internal.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Commit;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.cache.CacheOptions;
import io.varve.cache.StorageMode;
import io.varve.cache.VarveCachingProvider;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import javax.cache.Cache;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.integration.CacheWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// How often calls for many keys wait for the disk, where changes survive loss of power.
@Timeout(60)
class BulkWaitsTest {
  private static final int ENTRIES = 300;

  /// Those of the call and of the store's own upkeep; one for each entry are far more.
  private static final long FORCES_MAX = 30;

  private final VarveCachingProvider provider = new VarveCachingProvider();
  @TempDir Path directory;
  private ManagerStore opened;
  private Store store;

  /// Opens the store, which the managers of its directory then share.
  @BeforeEach
  void openStore() {
    opened = new ManagerStore(directory, StoreOptions.defaults());
    opened.<String, String>join(
        "none",
        OpenCache.Settings.of(new CacheOptions<>()),
        (shared, _) -> {
          store = shared;
          return null;
        });
  }

  @AfterEach
  void closeAll() {
    provider.close();
    opened.close();
  }

  private static final class Nowhere implements CacheWriter<Integer, String> {
    @Override
    public void write(Cache.Entry<? extends Integer, ? extends String> entry) {
      // it is gone
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends Integer, ? extends String>> entries) {
      entries.clear();
    }

    @Override
    public void delete(Object key) {
      // it is gone
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.clear();
    }
  }

  @ParameterizedTest
  @CsvSource({"TIERED,false", "TIERED,true", "PAGES,false", "PAGES,true", "OVERFLOW,false"})
  void callsForManyKeysWaitOnce(StorageMode mode, boolean writes) {
    CacheOptions<Integer, String> options = new CacheOptions<>();
    options.setTypes(Integer.class, String.class);
    if (writes) {
      options.setWriteThrough(true);
      options.setCacheWriterFactory(new SingletonFactory<>(new Nowhere()));
    }
    options.heapEntriesMax(ENTRIES);
    Cache<Integer, String> cache =
        provider.getCacheManager(directory.toUri(), null).createCache("c", options.mode(mode));
    Map<Integer, String> all = new HashMap<>();
    for (int i = 0; i < ENTRIES; i++) {
      all.put(i, "v");
    }
    assertFewForces(() -> cache.putAll(all));
    assertThat(cache.getAll(all.keySet())).isEqualTo(all);
    assertFewForces(() -> cache.putAll(all));
    assertFewForces(cache::removeAll);
    assertThat(cache.iterator()).isExhausted();
    cache.putAll(all);
    assertFewForces(() -> cache.removeAll(all.keySet()));
    assertThat(cache.iterator()).isExhausted();
  }

  /// A call that a close of its cache overtakes waits, too, as the store stays open.
  @ParameterizedTest
  @EnumSource(names = {"TIERED", "PAGES", "OVERFLOW"})
  void callsWaitForTheDiskIfTheCacheIsClosedDuringThem(StorageMode mode) {
    CacheOptions<Integer, String> options = new CacheOptions<>();
    options.setTypes(Integer.class, String.class);
    AtomicReference<Cache<Integer, String>> closing = new AtomicReference<>();
    CacheEntryCreatedListener<Integer, String> closer = _ -> closing.get().close();
    options.addCacheEntryListenerConfiguration(
        new MutableCacheEntryListenerConfiguration<>(
            new SingletonFactory<>(closer), null, false, true));
    Cache<Integer, String> cache =
        provider.getCacheManager(directory.toUri(), null).createCache("c", options.mode(mode));
    closing.set(cache);
    Commit before = store.lastCommit();
    cache.putAll(Map.of(1, "v"));
    assertThat(cache.isClosed()).isTrue();
    assertThat(store.lastCommit()).isNotEqualTo(before);
    assertThat(store.whenDurable(store.lastCommit()).toCompletableFuture()).isDone();
  }

  private void assertFewForces(Runnable call) {
    long before = store.statistics().log().forces();
    call.run();
    assertThat(store.whenDurable(store.lastCommit()).toCompletableFuture()).isDone();
    assertThat(store.statistics().log().forces() - before).isLessThan(FORCES_MAX);
  }
}
