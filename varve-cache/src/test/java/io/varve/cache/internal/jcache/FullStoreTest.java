package io.varve.cache.internal.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import io.varve.cache.CacheOptions;
import io.varve.cache.MapWriter;
import io.varve.cache.StorageMode;
import io.varve.cache.VarveCachingProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Caches with a source, whose store has no capacity for a value.
@Timeout(60)
class FullStoreTest {
  private static final byte[] LARGE = new byte[8 << 20];

  private final VarveCachingProvider provider = new VarveCachingProvider();
  private final Map<String, byte[]> rows = new ConcurrentHashMap<>();
  @TempDir Path directory;
  private ManagerStore store;

  /// Opens the store with a bound, which the managers of its directory then share.
  @BeforeEach
  void openStore() {
    store = new ManagerStore(directory, StoreOptions.defaults().diskBytesMax(4 << 20));
    store.destroy("none");
  }

  @AfterEach
  void closeAll() {
    provider.close();
    store.close();
  }

  private final class Rows extends MapWriter<byte[]> implements CacheLoader<String, byte[]> {
    Rows() {
      super(rows);
    }

    @Override
    public byte[] load(String key) {
      return rows.get(key);
    }

    @Override
    public Map<String, byte[]> loadAll(Iterable<? extends String> keys) {
      return Map.of();
    }
  }

  private Cache<String, byte[]> open(CacheOptions<String, byte[]> options, StorageMode mode) {
    options.setTypes(String.class, byte[].class);
    return provider
        .getCacheManager(directory.toUri(), null)
        .createCache("c", options.mode(mode).durability(Durability.BACKGROUND));
  }

  /// What the source has no more is not shown, whatever refused the new value.
  @ParameterizedTest
  @EnumSource(names = {"TIERED", "PAGES"})
  void whatTheStoreRefusesIsNotShownAsItWas(StorageMode mode) {
    CacheOptions<String, byte[]> options = new CacheOptions<>();
    options.setWriteThrough(true);
    options.setCacheWriterFactory(new SingletonFactory<>(new Rows()));
    Cache<String, byte[]> cache = open(options, mode);
    List<Consumer<String>> changes =
        List.of(
            key -> cache.put(key, LARGE),
            key -> cache.getAndPut(key, LARGE),
            key -> cache.replace(key, LARGE),
            key -> cache.putAll(Map.of(key, LARGE)),
            key ->
                cache.invoke(
                    key,
                    (entry, _) -> {
                      entry.setValue(LARGE);
                      return null;
                    }));
    for (Consumer<String> change : changes) {
      cache.put("a", new byte[1]);
      assertThatThrownBy(() -> change.accept("a")).isInstanceOf(StoreFullException.class);
      assertThat(rows.get("a")).isSameAs(LARGE);
      assertThat(cache.get("a")).isNull();
    }
  }

  @Test
  void aValueThatWasLoadedIsGivenThoughTheStoreRefusesIt() {
    CacheOptions<String, byte[]> options = new CacheOptions<>();
    options.setReadThrough(true);
    options.setCacheLoaderFactory(new SingletonFactory<>(new Rows()));
    Cache<String, byte[]> cache = open(options, StorageMode.TIERED);
    rows.put("a", LARGE);
    assertThat(cache.get("a")).isSameAs(LARGE);
  }
}
