package io.varve.bench.table;

import io.varve.bench.cache.CacheSettings;
import io.varve.bench.cache.CacheType;
import io.varve.bench.cache.Caches;
import io.varve.bench.cache.ObjectCache;
import io.varve.bench.engine.Promise;
import io.varve.bench.measure.Cell;
import io.varve.bench.measure.PauseWatch;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import io.varve.cache.StorageMode;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// How long the garbage collector stops a program that holds many entries in a cache, reads them
/// and puts some again. Each mode and collector in a JVM of its own.
final class PausesTable extends ModesTable {
  private static final int VALUE_BYTES = 100;

  /// One operation in so many is a put.
  private static final int OPERATIONS_PER_PUT = 5;

  private static final List<StorageMode> MODES = List.of(StorageMode.HEAP, StorageMode.PAGES);

  @Override
  public String label() {
    return "pauses";
  }

  @Override
  public String description() {
    return "pauses of the garbage collector with many entries of "
        + VALUE_BYTES
        + " bytes in a cache, of which random ones are read and put; give a --heap that holds"
        + " --size entries, and a --cache for pages that does";
  }

  @Override
  public List<String> engines() {
    return List.of("varve", "caffeine", "infinispan");
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(2), List.of(1), Timing.seconds(5, 30), 10_000_000, 2L << 30, Promise.FAST);
  }

  /// A peer's files are no memory, so that it is measured on the heap alone.
  @Override
  List<StorageMode> modes(CacheType type) {
    return isVarve(type) ? MODES : List.of(StorageMode.HEAP);
  }

  @Override
  public List<Stage> stages() {
    return MODES.stream()
        .flatMap(mode ->
            Stream.of(Collector.G1, Collector.ZGC)
                .map(each -> Stage.under(each, run -> run(run, mode, name(mode) + " " + each))))
        .toList();
  }

  private void run(TableRun run, StorageMode mode, String caseName) {
    CacheType type = Caches.of(run.type()).orElseThrow();
    if (!modes(type).contains(mode)) {
      return;
    }
    Plan plan = run.plan();
    int size = plan.size();
    try (ScratchDirectory data = run.directory().inner("pauses");
        ObjectCache cache =
            type.open(
                new CacheSettings(mode, data.path(), size, size, VALUE_BYTES, plan.cacheBytes()))) {
      for (int entry = 0; entry < size; entry++) {
        cache.put(key(entry), new byte[VALUE_BYTES]);
      }
      for (int threads : plan.threads()) {
        measure(run, caseName, cache, threads);
      }
    }
  }

  private static void measure(TableRun run, String caseName, ObjectCache cache, int threads) {
    int size = run.plan().size();
    long nanos = run.plan().timing().measuredNanos();
    try (PauseWatch pauses = new PauseWatch()) {
      var result =
          Cell.rate(
              threads,
              run.plan().timing(),
              pauses,
              index -> {
                var random = new SplittableRandom(index);
                return () -> {
                  String key = key(random.nextInt(size));
                  if (random.nextInt(OPERATIONS_PER_PUT) == 0) {
                    cache.put(key, new byte[VALUE_BYTES]);
                  } else if (cache.get(key) == null) {
                    throw new IllegalStateException("an entry was dropped: case=" + caseName);
                  }
                };
              });
      pauses.stop();
      run.rows().accept(caseName, threads, Metric.GC_PAUSE_MAX, pauses.maxMillis());
      run.rows().accept(caseName, threads, Metric.GC_PAUSE_P99, pauses.p99Millis());
      run.rows().accept(caseName, threads, Metric.GC_PAUSE, pauses.totalMillis() * 1e9 / nanos);
      run.rows().accept(caseName, threads, Metric.RATE, result.rate());
    }
  }
}
