package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a cache counts, and what of it the bean of JCache shows.
class CacheStatisticsTest {
  private final TestClock clock = new TestClock();
  private final CacheManager manager = clock.manager(null);

  @AfterEach
  void closeManager() {
    manager.close();
  }

  private static CacheOptions<String, String> options(StorageMode mode) {
    CacheOptions<String, String> options = new CacheOptions<>();
    options.setTypes(String.class, String.class);
    return options.mode(mode).segments(4).durability(Durability.BACKGROUND);
  }

  @SuppressWarnings("unchecked") // made with these types
  private VarveCache<String, String> newCache(CacheOptions<String, String> options) {
    return manager.createCache("c", options).unwrap(VarveCache.class);
  }

  @ParameterizedTest
  @EnumSource
  void callsAreCountedWithoutAskingForIt(StorageMode mode) {
    VarveCache<String, String> cache = newCache(options(mode));
    cache.put("a", "1");
    cache.put("b", "2");
    cache.get("a");
    cache.get("none");
    cache.remove("a");
    cache.with(Flag.SKIP_STATISTICS).get("b");
    CacheStatistics now = cache.statistics();
    assertThat(now.hits()).isEqualTo(1);
    assertThat(now.misses()).isEqualTo(1);
    assertThat(now.puts()).isEqualTo(2);
    assertThat(now.removals()).isEqualTo(1);
    assertThat(now.getTimes().count()).isZero();
    assertThat(now.entries()).isEqualTo(1);
    assertThat(now.heapEntries()).isEqualTo(mode == StorageMode.PAGES ? 0 : 1);
    boolean inPages = mode == StorageMode.TIERED || mode == StorageMode.PAGES;
    assertThat(now.pageEntries()).isEqualTo(inPages ? 1 : 0);
  }

  @Test
  void endsAreCounted() {
    CacheOptions<String, String> options = options(StorageMode.HEAP);
    options.setExpiryPolicyFactory(
        CreatedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.SECONDS, 10)));
    VarveCache<String, String> cache = newCache(options);
    cache.put("a", "1");
    clock.move(Duration.ofSeconds(11));
    assertThat(cache.get("a")).isNull();
    assertThat(cache.statistics().expiries()).isEqualTo(1);
  }

  /// Has a value for every key but `none`, and fails to write `bad`.
  private static final class Backend
      implements CacheLoader<String, String>, CacheWriter<String, String> {
    @Override
    public String load(String key) {
      return key.equals("none") ? null : "loaded";
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      Map<String, String> loaded = new HashMap<>();
      keys.forEach(key -> loaded.put(key, "loaded"));
      return loaded;
    }

    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {
      if (entry.getKey().equals("bad")) {
        throw new CacheWriterException("bad");
      }
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
      entries.removeIf(entry -> !entry.getKey().equals("bad"));
      if (!entries.isEmpty()) {
        throw new CacheWriterException("bad");
      }
    }

    @Override
    public void delete(Object key) {
      // gone
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.clear();
    }
  }

  @Test
  void loadsAndWritesAreCounted() {
    CacheOptions<String, String> options = options(StorageMode.HEAP);
    Backend backend = new Backend();
    options.setCacheLoaderFactory(new SingletonFactory<>(backend)).setReadThrough(true);
    options.setCacheWriterFactory(new SingletonFactory<>(backend)).setWriteThrough(true);
    VarveCache<String, String> cache = newCache(options);
    cache.get("a");
    cache.get("none");
    cache.put("b", "1");
    assertThatThrownBy(() -> cache.put("bad", "1")).isInstanceOf(CacheWriterException.class);
    assertThatThrownBy(() -> cache.putAll(Map.of("c", "1", "d", "1", "bad", "1")))
        .isInstanceOf(CacheWriterException.class);
    cache.remove("b");
    cache.removeAll(Set.of("c", "d"));
    CacheStatistics now = cache.statistics();
    assertThat(now.loads()).isEqualTo(1);
    assertThat(now.writes()).isEqualTo(3);
    assertThat(now.deletions()).isEqualTo(3);
  }

  @Test
  void theBeanShowsWhatWasCountedWhileItWasOn() throws Exception {
    VarveCache<String, String> cache = newCache(options(StorageMode.HEAP));
    cache.put("a", "1");
    manager.enableStatistics("c", true);
    assertThat(shown("CachePuts")).isEqualTo(0L);
    cache.put("b", "1");
    cache.get("a");
    manager.enableStatistics("c", false);
    cache.put("c", "1");
    manager.enableStatistics("c", true);
    cache.put("d", "1");
    assertThat(shown("CachePuts")).isEqualTo(2L);
    assertThat(shown("CacheHits")).isEqualTo(1L);
    assertThat((float) shown("AverageGetTime")).isPositive();
    clearBean();
    assertThat(shown("CachePuts")).isEqualTo(0L);
    assertThat(cache.statistics().puts()).isEqualTo(4);
    assertThat(cache.statistics().putTimes().count()).isEqualTo(2);
    assertThat(cache.statistics().putTimes().averageNanos()).isPositive();
  }

  private static ObjectName bean() throws Exception {
    return new ObjectName("javax.cache:type=CacheStatistics,CacheManager=varve.test,Cache=c");
  }

  private static Object shown(String attribute) throws Exception {
    return ManagementFactory.getPlatformMBeanServer().getAttribute(bean(), attribute);
  }

  private static void clearBean() throws Exception {
    ManagementFactory.getPlatformMBeanServer().invoke(bean(), "clear", null, null);
  }
}
