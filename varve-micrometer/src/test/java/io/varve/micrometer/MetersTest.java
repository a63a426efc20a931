package io.varve.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreOptions;
import io.varve.cache.CacheOptions;
import io.varve.cache.VarveCache;
import io.varve.cache.VarveCachingProvider;
import io.varve.item.Item;
import io.varve.item.ItemSpace;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.cache.Cache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the meters of stores, spaces and caches report, in a registry of Micrometer and in one of
/// Prometheus.
@Timeout(120)
class MetersTest {
  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final VarveCachingProvider provider = new VarveCachingProvider();

  @TempDir private Path directory;

  @AfterEach
  void closeAll() {
    provider.close();
  }

  private Store openStore() {
    return Store.open(
        directory,
        StoreOptions.defaults().diskBytesMax(1L << 30).cache(cache -> cache.offHeapBytes(8 << 20)));
  }

  private VarveCache<String, String> newCache() {
    CacheOptions<String, String> options = new CacheOptions<>();
    options.setTypes(String.class, String.class).setStatisticsEnabled(true);
    Cache<String, String> cache = provider.getCacheManager().createCache("stock", options);
    @SuppressWarnings("unchecked") // it is one
    VarveCache<String, String> varve = cache.unwrap(VarveCache.class);
    return varve;
  }

  private double counted(String name, String... tags) {
    return registry.get(name).tags(tags).functionCounter().count();
  }

  private double shown(String name, String... tags) {
    return registry.get(name).tags(tags).gauge().value();
  }

  /// So that figures are asked for again.
  private void later() {
    clock.add(1, TimeUnit.SECONDS);
  }

  @Test
  void metersOfAStoreFollowIt() {
    try (Store store = openStore()) {
      new VarveStoreMetrics(store, "main", Tags.of("zone", "a")).bindTo(registry);
      Space space = store.space("s");
      double before = counted("varve.commits", "store", "main", "zone", "a");
      space.put(new byte[] {1}, new byte[10]);
      space.get(new byte[] {1});
      later();
      assertThat(counted("varve.commits")).isEqualTo(before + 1);
      assertThat(counted("varve.page.requests", "result", "hit")).isPositive();
      assertThat(counted("varve.log.written")).isPositive();
      assertThat(registry.get("varve.log.forces").functionTimer().count()).isPositive();
      assertThat(registry.get("varve.log.forces").functionTimer().totalTime(TimeUnit.SECONDS))
          .isPositive();
      assertThat(shown("varve.log.forces.percentile", "phi", "0.99")).isPositive();
      assertThat(shown("varve.page.memory", "state", "dirty")).isPositive();
      assertThat(shown("varve.page.offheap.memory.max")).isEqualTo(8 << 20);
      assertThat(counted("varve.page.offheap.requests", "result", "hit")).isZero();
      assertThat(shown("varve.disk.max")).isEqualTo(1L << 30);
      assertThat(shown("varve.snapshots")).isZero();
    }
  }

  /// The example of docs/OBSERVABILITY.md, as it is there.
  @Test
  void exampleOfTheGuide() {
    Cache<String, String> cache = newCache();
    try (Store store = openStore()) {
      new VarveStoreMetrics(store, "orders").bindTo(registry);
      new VarveSpaceMetrics(store.space("users"), "orders").bindTo(registry);
      new VarveItemSpaceMetrics(store.items("catalog"), "orders").bindTo(registry);
      new VarveCacheMetrics(cache.unwrap(VarveCache.class)).bindTo(registry);
      assertThat(registry.getMeters())
          .map(meter -> meter.getId().getName())
          .contains("varve.commits", "varve.space.entries");
    }
  }

  @Test
  void figuresOfOneScrapeAreAskedForOnce() {
    try (Store store = openStore()) {
      new VarveStoreMetrics(store, "main").bindTo(registry);
      double before = counted("varve.commits");
      store.space("s").put(new byte[] {1}, new byte[10]);
      assertThat(counted("varve.commits")).isEqualTo(before);
      later();
      assertThat(counted("varve.commits")).isGreaterThan(before);
    }
  }

  @Test
  void aClosedStoreKeepsItsCountsAlone() {
    Store store = openStore();
    new VarveStoreMetrics(store, "main").bindTo(registry);
    store.space("s").put(new byte[] {1}, new byte[10]);
    double commits = counted("varve.commits");
    store.close();
    later();
    assertThat(shown("varve.page.memory", "state", "clean")).isNaN();
    assertThat(counted("varve.commits")).isEqualTo(commits);
    assertThat(registry.get("varve.checkpoints").functionTimer().count()).isNotNegative();
  }

  @Test
  void aStoreOfTheSameNameHasMetersOfItsOwn() {
    Store store = openStore();
    var metrics = new VarveStoreMetrics(store, "main");
    metrics.bindTo(registry);
    Meter other = registry.counter("varve.other", "store", "main");
    metrics.unbindFrom(registry);
    metrics.unbindFrom(registry);
    assertThat(registry.getMeters()).containsExactly(other);
    store.close();
    try (Store next = openStore()) {
      new VarveStoreMetrics(next, "main").bindTo(registry);
      assertThat(shown("varve.page.memory", "state", "clean")).isNotNaN();
    }
  }

  /// The second one's meters were those of the first, and its end removed them.
  @Test
  void metersOfTheFirstOfTwoStoresOfANameStay() {
    try (Store first = openStore();
        Store second = Store.inMemory()) {
      var metrics = new VarveStoreMetrics(first, "main");
      metrics.bindTo(registry);
      metrics.bindTo(registry);
      List<Meter> meters = registry.getMeters();
      var others = new VarveStoreMetrics(second, "main");
      others.bindTo(registry);
      others.unbindFrom(registry);
      assertThat(registry.getMeters()).containsAll(meters);
      metrics.unbindFrom(registry);
      assertThat(registry.getMeters()).isEmpty();
    }
  }

  @Test
  void aSpaceOfTheSameNameHasMetersOfItsOwn() {
    try (Store store = Store.inMemory()) {
      var metrics = new VarveSpaceMetrics(store.space("s"), "main");
      var items = new VarveItemSpaceMetrics(store.items("i"), "main");
      metrics.bindTo(registry);
      items.bindTo(registry);
      store.dropSpace("s");
      metrics.unbindFrom(registry);
      items.unbindFrom(registry);
      assertThat(registry.getMeters()).isEmpty();
      new VarveSpaceMetrics(store.space("s"), "main").bindTo(registry);
      assertThat(shown("varve.space.entries", "space", "s")).isZero();
    }
  }

  @Test
  void aCacheOfTheSameNameHasMetersOfItsOwn() {
    VarveCache<String, String> cache = newCache();
    var metrics = new VarveCacheMetrics(cache);
    metrics.bindTo(registry);
    cache.getCacheManager().destroyCache("stock");
    metrics.unbindFrom(registry);
    assertThat(registry.getMeters()).isEmpty();
    new VarveCacheMetrics(newCache()).bindTo(registry);
    assertThat(shown("cache.size", "cache", "stock")).isZero();
  }

  @Test
  void spacesAndItemsAreMeasured() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      ItemSpace items = store.items("i");
      new VarveSpaceMetrics(space, "main").bindTo(registry);
      new VarveItemSpaceMetrics(items, "main").bindTo(registry);
      space.put(new byte[] {1}, new byte[10]);
      items.insert(Item.of("a"));
      assertThat(shown("varve.space.entries", "store", "main", "space", "s")).isEqualTo(1);
      assertThat(shown("varve.space.depth")).isEqualTo(1);
      assertThat(shown("varve.items.uncommitted", "space", "i")).isEqualTo(1);
      store.dropSpace("s");
      later();
      assertThat(shown("varve.space.entries")).isNaN();
    }
  }

  @Test
  void metersOfACacheHaveTheNamesThatMicrometerHas() {
    VarveCache<String, String> cache = newCache();
    new VarveCacheMetrics(cache).bindTo(registry);
    cache.put("a", "1");
    cache.get("a");
    cache.get("b");
    cache.remove("a");
    cache.put("c", "2");
    assertThat(counted("cache.gets", "cache", "stock", "result", "hit")).isEqualTo(1);
    assertThat(counted("cache.gets", "result", "miss")).isEqualTo(1);
    assertThat(counted("cache.puts")).isEqualTo(2);
    assertThat(counted("cache.removals")).isEqualTo(1);
    assertThat(shown("cache.size")).isEqualTo(1);
    assertThat(shown("cache.entries", "tier", "heap")).isEqualTo(1);
    assertThat(shown("cache.entries", "tier", "pages")).isZero();
    assertThat(registry.get("cache.get.time").functionTimer().count()).isEqualTo(2);
    cache.close();
    later();
    assertThat(counted("cache.puts")).isEqualTo(2);
    assertThat(shown("cache.size")).isNaN();
  }

  /// A source that fails ends no scrape, and is shown again when it answers.
  @Test
  void aCacheThatFailsKeepsItsCountsAndIsAskedAgain() {
    VarveCache<String, String> cache = newCache();
    AtomicBoolean fails = new AtomicBoolean();
    VarveCache<?, ?> failing =
        (VarveCache<?, ?>)
            Proxy.newProxyInstance(
                MetersTest.class.getClassLoader(),
                new Class<?>[] {VarveCache.class},
                (_, method, arguments) -> {
                  if (fails.get()) {
                    throw new StoreFailedException("failed", null);
                  }
                  return method.invoke(cache, arguments);
                });
    new VarveCacheMetrics(failing).bindTo(registry);
    cache.put("a", "1");
    assertThat(counted("cache.puts")).isEqualTo(1);
    fails.set(true);
    later();
    assertThat(counted("cache.puts")).isEqualTo(1);
    assertThat(shown("cache.size")).isNaN();
    fails.set(false);
    cache.put("b", "2");
    later();
    assertThat(counted("cache.puts")).isEqualTo(2);
    assertThat(shown("cache.size")).isEqualTo(2);
  }

  @Test
  void prometheusShowsUnitsInNames() {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (Store store = openStore()) {
      store.space("s").put(new byte[] {1}, new byte[10]);
      bindAll(prometheus, store);
      String scraped = prometheus.scrape();
      assertThat(scraped)
          .contains("varve_commits_total{store=\"main\"} ")
          .contains("varve_log_written_bytes_total{store=\"main\"} ")
          .contains("varve_log_forces_seconds_count{store=\"main\"} ")
          .contains("varve_log_forces_percentile_seconds{phi=\"0.99\",store=\"main\"} ")
          .contains("varve_commit_throttled_seconds_total{store=\"main\"} 0.0")
          .contains("varve_page_requests_total{result=\"hit\",store=\"main\"} ")
          .contains("varve_space_entries{space=\"s\",store=\"main\"} 1.0")
          .contains("cache_gets_total{cache=\"stock\",result=\"hit\"} 0.0");
      assertThat(scraped.lines().filter(line -> line.endsWith("NaN"))).isEmpty();
    }
  }

  private void bindAll(MeterRegistry to, Store store) {
    new VarveStoreMetrics(store, "main").bindTo(to);
    new VarveSpaceMetrics(store.space("s"), "main").bindTo(to);
    new VarveItemSpaceMetrics(store.items("i"), "main").bindTo(to);
    new VarveCacheMetrics(newCache()).bindTo(to);
  }

  /// A row of the guide, and a meter as it would be one.
  private record Row(String name, String kind, String unit, String tags) {}

  @Test
  void theGuideNamesEveryMeter() throws Exception {
    List<Row> made;
    try (Store store = openStore()) {
      bindAll(registry, store);
      made = registry.getMeters().stream().map(MetersTest::row).distinct().toList();
      assertThat(registry.getMeters()).allMatch(meter -> meter.getId().getDescription() != null);
    }
    assertThat(GuideRows.of("varve.", "cache."))
        .map(cells -> new Row(cells.get(0), cells.get(1), cells.get(2), cells.get(3)))
        .containsExactlyInAnyOrderElementsOf(made);
  }

  private static Row row(Meter meter) {
    Meter.Id id = meter.getId();
    String kind =
        switch (id.getType()) {
          case COUNTER -> "counter";
          case TIMER -> "timer";
          default -> "gauge";
        };
    String unit = id.getBaseUnit() == null ? "" : id.getBaseUnit();
    List<String> tags = new ArrayList<>();
    id.getTags().forEach(tag -> tags.add(tag.getKey()));
    return new Row(id.getName(), kind, unit, String.join(", ", tags));
  }

  @Test
  void aClosedStoreIsForgotten() {
    WeakReference<Store> store = new WeakReference<>(usedAndClosed());
    while (store.get() != null) {
      System.gc();
    }
    later();
    assertThat(shown("varve.snapshots")).isNaN();
  }

  private Store usedAndClosed() {
    Store store = Store.inMemory();
    new VarveStoreMetrics(store, "main").bindTo(registry);
    store.space("s").put(new byte[] {1}, new byte[10]);
    assertThat(counted("varve.commits")).isEqualTo(2);
    store.close();
    return store;
  }
}
