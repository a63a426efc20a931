package io.varve.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.varve.cache.CacheStatistics;
import io.varve.cache.VarveCache;
import java.lang.ref.WeakReference;

/// The figures of a cache, under the names that Micrometer has for caches, and some more.
///
/// Meters refer to the cache weakly. Once it is closed its counters stay as they were when they
/// were last asked for, and its gauges are `NaN`. Times are measured while the statistics of JCache
/// are enabled.
///
/// - **Threads:** safe for any number of threads.
///
/// @since 1.0
public final class VarveCacheMetrics implements MeterBinder {
  private final WeakReference<VarveCache<?, ?>> cache;
  private final Tags tags;
  private final Bindings bound = new Bindings();

  /// Makes the meters of a cache, whose name is the value of the tag `cache`.
  public VarveCacheMetrics(VarveCache<?, ?> cache) {
    this(cache, Tags.empty());
  }

  /// Makes the meters of a cache, with tags in addition to `cache`.
  public VarveCacheMetrics(VarveCache<?, ?> cache, Iterable<Tag> tags) {
    this.cache = new WeakReference<>(cache);
    this.tags = Tags.of(tags).and("cache", cache.getName());
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    VarveCache<?, ?> present = cache.get();
    if (present != null) {
      Meters<VarveCache<?, ?>, CacheStatistics> meters =
          new Meters<>(registry, present, tags, VarveCache::statistics);
      bindCounts(meters);
      bindTimes(meters);
      bindSizes(meters);
      bound.add(registry, meters);
    }
  }

  /// Removes from a registry what [#bindTo] has registered there. A cache that is made later may
  /// have meters of the same names and tags then. Without effect where nothing was bound, and on
  /// meters of another cache that were there first.
  ///
  /// @since 1.0
  public void unbindFrom(MeterRegistry registry) {
    bound.removeFrom(registry);
  }

  private static void bindCounts(Meters<VarveCache<?, ?>, CacheStatistics> meters) {
    String gets = "Reads and conditional changes by whether they found an entry";
    meters.tagged("result", "hit").counter("cache.gets", gets, CacheStatistics::hits);
    meters.tagged("result", "miss").counter("cache.gets", gets, CacheStatistics::misses);
    meters.counter("cache.puts", "Entries that calls set", CacheStatistics::puts);
    meters.counter("cache.removals", "Entries that calls removed", CacheStatistics::removals);
    meters.counter(
        "cache.evictions", "Entries lost for lack of capacity", CacheStatistics::evictions);
    meters.counter(
        "cache.expiries", "Entries removed since they had ended", CacheStatistics::expiries);
    meters.counter("cache.loads", "Values that the loader gave", CacheStatistics::loads);
    meters.counter("cache.writes", "Entries that the writer wrote", CacheStatistics::writes);
    meters.counter("cache.deletions", "Keys that the writer deleted", CacheStatistics::deletions);
    meters.counter(
        "cache.events.dropped",
        "Events that listeners missed since too many waited",
        CacheStatistics::droppedEvents);
  }

  private static void bindTimes(Meters<VarveCache<?, ?>, CacheStatistics> meters) {
    meters.timer(
        "cache.get.time",
        "Calls that read, while they are measured",
        now -> now.getTimes().count(),
        now -> now.getTimes().totalNanos());
    meters.timer(
        "cache.put.time",
        "Calls that put, while they are measured",
        now -> now.putTimes().count(),
        now -> now.putTimes().totalNanos());
    meters.timer(
        "cache.removal.time",
        "Calls that remove, while they are measured",
        now -> now.removalTimes().count(),
        now -> now.removalTimes().totalNanos());
  }

  private static void bindSizes(Meters<VarveCache<?, ?>, CacheStatistics> meters) {
    meters.gauge("cache.size", "Entries", CacheStatistics::entries);
    String tier = "Entries by where they are; one may be on the heap and in pages";
    meters.tagged("tier", "heap").gauge("cache.entries", tier, CacheStatistics::heapEntries);
    meters.tagged("tier", "pages").gauge("cache.entries", tier, CacheStatistics::pageEntries);
  }
}
