package io.varve.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.varve.Statistics;
import io.varve.Store;
import java.lang.ref.WeakReference;
import java.time.Duration;

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
///
/// @since 1.0
public final class VarveStoreMetrics implements MeterBinder {
  private final WeakReference<Store> store;
  private final Tags tags;
  private final Bindings bound = new Bindings();

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
      bindOffHeap(meters);
      bindCheckpoints(meters);
      bindDisk(meters, present.options().diskBytesMax() != Long.MAX_VALUE);
      bindSnapshots(meters);
      bound.add(registry, meters);
    }
  }

  /// Removes from a registry what [#bindTo] has registered there. A store that is opened later may
  /// have meters of the same names and tags then. Without effect where nothing was bound, and on
  /// meters of another store that were there first.
  public void unbindFrom(MeterRegistry registry) {
    bound.removeFrom(registry);
  }

  private static void bindCommits(Meters<Store, Statistics> meters) {
    meters.counter("varve.commits", "Commits applied", now -> now.commits().applied());
    meters.counter(
        "varve.commit.conflicts",
        "Commits refused because what they had read was changed concurrently",
        now -> now.commits().conflicts());
    meters.secondsCounter(
        "varve.commit.throttled",
        "Time that writers were slowed for dirty pages",
        now -> now.commits().throttledNanos());
    String waits = "Time that commits waited for capacity in the log";
    meters
        .tagged("cause", "buffer")
        .secondsCounter("varve.commit.log.waits", waits, now -> now.log().waits().bufferNanos());
    meters
        .tagged("cause", "segment")
        .secondsCounter("varve.commit.log.waits", waits, now -> now.log().waits().segmentNanos());
    meters
        .tagged("cause", "checkpoint")
        .secondsCounter(
            "varve.commit.log.waits", waits, now -> now.log().waits().checkpointNanos());
    meters.timeGauge(
        "varve.commit.pause.max",
        "Longest time that a checkpoint or snapshot shut commits out",
        now -> now.commits().pauseNanosMax());
  }

  private static void bindLog(Meters<Store, Statistics> meters) {
    meters.bytesCounter(
        "varve.log.written", "Log appended, padding included", now -> now.log().appendedBytes());
    meters.bytesGauge(
        "varve.log.retained",
        "Log that a recovery would have to consider",
        now -> now.log().retainedBytes());
    meters.bytesGauge(
        "varve.log.kept",
        "Log that is kept for backups and that no recovery needs",
        now -> now.log().archivedBytes());
    meters.timer(
        "varve.log.forces",
        "Forces and synchronous writes of the log",
        statistics -> statistics.log().forceTimes().count(),
        statistics -> statistics.log().forceTimes().totalNanos());
    for (String share : new String[] {"0.5", "0.95", "0.99"}) {
      meters
          .tagged("phi", share)
          .timeGauge(
              "varve.log.forces.percentile",
              "Time that this share of forces did not exceed, a power of two of nanoseconds",
              statistics -> statistics.log().forceTimes().nanos(Double.parseDouble(share)));
    }
  }

  private static void bindPages(Meters<Store, Statistics> meters) {
    String requests = "Reads by whether they found their leaf in memory";
    meters
        .tagged("result", "hit")
        .counter("varve.page.requests", requests, now -> now.cache().hits());
    meters
        .tagged("result", "miss")
        .counter("varve.page.requests", requests, now -> now.cache().misses());
    meters.counter("varve.page.loads", "Pages read from disk", now -> now.cache().loads());
    meters.counter(
        "varve.page.evictions",
        "Clean pages dropped from the heap",
        now -> now.cache().evictions());
    meters.bytesCounter(
        "varve.page.read", "Bytes read from the page file", now -> now.disk().readBytes());
    meters.bytesCounter(
        "varve.page.written", "Bytes written to the page file", now -> now.disk().writtenBytes());
    String memory = "Pages in memory by whether they were written";
    meters
        .tagged("state", "clean")
        .bytesGauge(
            "varve.page.memory", memory, now -> now.cache().usedBytes() - now.cache().dirtyBytes());
    meters
        .tagged("state", "dirty")
        .bytesGauge("varve.page.memory", memory, now -> now.cache().dirtyBytes());
    meters.bytesGauge(
        "varve.page.memory.max", "Budget for pages in memory", now -> now.cache().budgetBytes());
  }

  private static void bindOffHeap(Meters<Store, Statistics> meters) {
    String requests = "Loads by whether they found their page outside of the heap";
    meters
        .tagged("result", "hit")
        .counter("varve.page.offheap.requests", requests, now -> now.cache().offHeap().hits());
    meters
        .tagged("result", "miss")
        .counter("varve.page.offheap.requests", requests, now -> now.cache().offHeap().misses());
    meters.bytesGauge(
        "varve.page.offheap.memory",
        "Memory outside of the heap that pages take",
        now -> now.cache().offHeap().usedBytes());
    meters.bytesGauge(
        "varve.page.offheap.memory.max",
        "Budget for memory outside of the heap",
        now -> now.cache().offHeap().budgetBytes());
    meters.gauge(
        "varve.page.offheap.images",
        "Pages outside of the heap",
        now -> now.cache().offHeap().images());
    meters.counter(
        "varve.page.offheap.evictions",
        "Pages that left memory outside of the heap so that others could come",
        now -> now.cache().offHeap().evictions());
  }

  private static void bindCheckpoints(Meters<Store, Statistics> meters) {
    meters.timer(
        "varve.checkpoints",
        "Checkpoints completed",
        now -> now.checkpoints().count(),
        now -> now.checkpoints().totalNanos());
    meters.counter(
        "varve.checkpoint.spills",
        "Writes of dirty pages between checkpoints, to free memory",
        now -> now.checkpoints().spills());
    meters.bytesCounter(
        "varve.checkpoint.written",
        "Pages written by checkpoints and spills",
        now -> now.checkpoints().writtenBytes());
    meters.timeGauge(
        "varve.recovery.time",
        "Time that the recovery at open took, 0 after a clean close",
        now -> now.recovery().durationNanos());
    meters.gauge(
        "varve.recovery.commits",
        "Commits replayed at open",
        now -> now.recovery().replayedCommits());
  }

  private static void bindDisk(Meters<Store, Statistics> meters, boolean hasQuota) {
    meters.bytesGauge(
        "varve.file.size", "Size of the page file", now -> now.disk().pageFileBytes());
    meters.bytesGauge(
        "varve.file.free",
        "Bytes of the page file that are free or wait to become free",
        now -> now.disk().freeBytes());
    meters.bytesGauge(
        "varve.disk.used", "Size of all files of the store", now -> now.disk().usedBytes());
    if (hasQuota) {
      meters.bytesGauge("varve.disk.max", "Quota for all files", now -> now.disk().quotaBytes());
    }
  }

  private static void bindSnapshots(Meters<Store, Statistics> meters) {
    meters.gauge(
        "varve.snapshots",
        "Snapshots that are open, those of transactions included",
        now -> now.snapshots().open().size());
    meters.timeGauge(
        "varve.snapshot.age.max",
        "Age of the oldest snapshot that is open",
        now ->
            now.snapshots().open().stream()
                .map(Statistics.OpenSnapshot::age)
                .mapToLong(Duration::toNanos)
                .max()
                .orElse(0));
    meters.gauge(
        "varve.epochs.held",
        "Epochs since the oldest that a snapshot or checkpoint still shows",
        now -> now.snapshots().epoch() - now.snapshots().oldestEpoch());
  }
}
