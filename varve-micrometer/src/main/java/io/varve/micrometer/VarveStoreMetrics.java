package io.varve.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.varve.Statistics;
import io.varve.Store;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// The figures of a store.
///
/// ```java
/// new VarveStoreMetrics(store, "orders").bindTo(registry);
/// ```
///
/// Meters refer to the store weakly. Once it is closed its counters stay as they were when they
/// were last asked for, and its gauges are `NaN`, until [#unbindFrom] removes them.
///
/// - **Threads:** safe for any number of threads.
public final class VarveStoreMetrics implements MeterBinder {
  private final WeakReference<Store> store;
  private final Tags tags;
  private final Map<MeterRegistry, List<Meter>> bound = new ConcurrentHashMap<>();

  /// Makes the meters of a store.
  ///
  /// @param name value of the tag `store`
  public VarveStoreMetrics(Store store, String name) {
    this(store, name, Tags.empty());
  }

  /// Makes the meters of a store, with tags in addition to `store`.
  public VarveStoreMetrics(Store store, String name, Iterable<Tag> tags) {
    this.store = new WeakReference<>(store);
    this.tags = Tags.of(tags).and("store", name);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Store present = store.get();
    if (present != null) {
      Meters<Store, Statistics> meters = new Meters<>(registry, present, tags, Store::statistics);
      bindCommits(meters);
      bindLog(meters);
      bindPages(meters);
      bindCheckpoints(meters);
      bindDisk(meters, present.options().diskBytesMax() != Long.MAX_VALUE);
      bindSnapshots(meters);
      bound.merge(registry, meters.registered(), VarveStoreMetrics::both);
    }
  }

  private static List<Meter> both(List<Meter> some, List<Meter> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  /// Removes from a registry what [#bindTo] has registered there. A store that is opened later may
  /// have meters of the same names and tags then. Without effect where nothing was bound.
  public void unbindFrom(MeterRegistry registry) {
    List<Meter> meters = bound.remove(registry);
    if (meters != null) {
      meters.forEach(registry::remove);
    }
  }

  private static void bindCommits(Meters<Store, Statistics> meters) {
    meters.counter("varve.commits", "Commits applied", Statistics::commits);
    meters.counter(
        "varve.commit.conflicts",
        "Commits refused because what they had read was changed concurrently",
        Statistics::conflicts);
    meters.secondsCounter(
        "varve.commit.throttled",
        "Time that writers were slowed for dirty pages or the cap of the log",
        Statistics::throttledNanos);
    meters.timeGauge(
        "varve.commit.pause.max",
        "Longest time that a checkpoint or snapshot shut commits out",
        Statistics::commitPauseNanosMax);
  }

  private static void bindLog(Meters<Store, Statistics> meters) {
    meters.bytesCounter(
        "varve.log.written", "Log appended, padding included", Statistics::logBytes);
    meters.bytesGauge(
        "varve.log.retained",
        "Log that a recovery would have to consider",
        Statistics::logBytesRetained);
    meters.bytesGauge(
        "varve.log.kept",
        "Log that is kept for backups and that no recovery needs",
        Statistics::logBytesKept);
    meters.timer(
        "varve.log.forces",
        "Forces and synchronous writes of the log",
        statistics -> statistics.forceTimes().count(),
        statistics -> statistics.forceTimes().totalNanos());
    for (String share : new String[] {"0.5", "0.95", "0.99"}) {
      meters
          .tagged("phi", share)
          .timeGauge(
              "varve.log.forces.percentile",
              "Time that this share of forces did not exceed, a power of two of nanoseconds",
              statistics -> statistics.forceTimes().nanos(Double.parseDouble(share)));
    }
  }

  private static void bindPages(Meters<Store, Statistics> meters) {
    String requests = "Reads by whether they found their leaf in memory";
    meters.tagged("result", "hit").counter("varve.page.requests", requests, Statistics::pageHits);
    meters
        .tagged("result", "miss")
        .counter("varve.page.requests", requests, Statistics::pageMisses);
    meters.counter("varve.page.loads", "Pages read from disk", Statistics::pageLoads);
    meters.counter(
        "varve.page.evictions", "Clean pages dropped from memory", Statistics::pageEvictions);
    meters.bytesCounter(
        "varve.page.read", "Bytes read from the page file", Statistics::pageBytesRead);
    meters.bytesCounter(
        "varve.page.written", "Bytes written to the page file", Statistics::pageBytesWritten);
    String memory = "Pages in memory by whether they were written";
    meters
        .tagged("state", "clean")
        .bytesGauge("varve.page.memory", memory, now -> now.cacheBytes() - now.dirtyBytes());
    meters.tagged("state", "dirty").bytesGauge("varve.page.memory", memory, Statistics::dirtyBytes);
    meters.bytesGauge(
        "varve.page.memory.max", "Budget for pages in memory", Statistics::cacheBytesMax);
  }

  private static void bindCheckpoints(Meters<Store, Statistics> meters) {
    meters.timer(
        "varve.checkpoints",
        "Checkpoints completed",
        Statistics::checkpoints,
        Statistics::checkpointNanos);
    meters.counter(
        "varve.checkpoint.spills",
        "Writes of dirty pages between checkpoints, to make room in memory",
        Statistics::spills);
    meters.bytesCounter(
        "varve.checkpoint.written",
        "Pages written by checkpoints and spills",
        Statistics::checkpointBytes);
    meters.timeGauge(
        "varve.recovery.time",
        "Time that the recovery at open took, 0 after a clean close",
        Statistics::recoveryNanos);
    meters.gauge(
        "varve.recovery.commits", "Commits replayed at open", Statistics::recoveredCommits);
  }

  private static void bindDisk(Meters<Store, Statistics> meters, boolean hasQuota) {
    meters.bytesGauge("varve.file.size", "Size of the page file", Statistics::fileBytes);
    meters.bytesGauge(
        "varve.file.free",
        "Bytes of the page file that are free or wait to become free",
        Statistics::freeBytes);
    meters.bytesGauge("varve.disk.used", "Size of all files of the store", Statistics::diskBytes);
    if (hasQuota) {
      meters.bytesGauge("varve.disk.max", "Quota for all files", Statistics::diskBytesMax);
    }
  }

  private static void bindSnapshots(Meters<Store, Statistics> meters) {
    meters.gauge(
        "varve.snapshots",
        "Snapshots that are open, those of transactions included",
        now -> now.snapshots().size());
    meters.timeGauge(
        "varve.snapshot.age.max",
        "Age of the oldest snapshot that is open",
        now ->
            now.snapshots().stream()
                .map(Statistics.OpenSnapshot::age)
                .mapToLong(Duration::toNanos)
                .max()
                .orElse(0));
    meters.gauge(
        "varve.epochs.held",
        "Epochs since the oldest that a snapshot or checkpoint still shows",
        now -> now.epoch() - now.oldestEpoch());
  }
}
