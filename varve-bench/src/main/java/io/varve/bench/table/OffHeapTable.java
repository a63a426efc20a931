package io.varve.bench.table;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Promise;
import io.varve.bench.engine.VarveLabels;
import io.varve.bench.measure.Cell;
import io.varve.bench.measure.CellResult;
import io.varve.bench.measure.PauseWatch;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/// Uniform gets where pages are in the file alone, outside of the heap, or on it. It also measures
/// how long the garbage collector stops the program then. It does so with a quarter of the entries
/// and with all. Each case in a JVM of its own; the file is in the system's page cache.
final class OffHeapTable implements Table {
  private static final int VALUE_BYTES = 1000;

  /// What an entry takes at most where its pages are, half empty leaves counted.
  private static final long ENTRY_BYTES_MAX = 2200;

  /// Half of what a leaf holds, so that each leaf is read.
  private static final int ENTRIES_OF_LEAF_MIN = 3;

  private static final long TIER_BYTES_MIN = 8 << 20;
  private static final int LOADED_PER_COMMIT = 1000;

  /// Where the pages are that do not fit into `--cache`.
  private enum Where {
    FILE,
    OFF_HEAP,
    HEAP
  }

  @Override
  public String label() {
    return "offheap";
  }

  @Override
  public String description() {
    return "uniform gets of values of "
        + VALUE_BYTES
        + " bytes from the file, from memory outside of the heap, and from the heap, and pauses of"
        + " the garbage collector; give a --heap that holds --size entries, and a --cache for a"
        + " few";
  }

  @Override
  public List<String> engines() {
    return List.of(VarveLabels.VARVE);
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1, 2), List.of(1), Timing.seconds(2, 5), 4_000_000, 64L << 20, Promise.FAST);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(Promise.FAST);
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    return measures(type) ? Optional.empty() : Optional.of("all: has no such memory");
  }

  @Override
  public List<Stage> stages() {
    List<Stage> stages = new ArrayList<>();
    stages.add(OffHeapTable::load);
    for (Collector collector : List.of(Collector.G1, Collector.ZGC)) {
      for (Where where : Where.values()) {
        for (int part : List.of(4, 1)) {
          stages.add(Stage.under(collector, run -> run(run, where, part, collector)));
        }
      }
    }
    return stages;
  }

  private static void load(TableRun run) {
    try (Store store = open(run, Where.FILE)) {
      Space space = store.space("bench").with(Durability.BACKGROUND);
      for (int entry = 0; entry < run.plan().size(); entry += LOADED_PER_COMMIT) {
        int from = entry;
        int to = Math.min(run.plan().size(), from + LOADED_PER_COMMIT);
        store.transact(transaction -> {
          for (int each = from; each < to; each++) {
            transaction.put(space, key(each), new byte[VALUE_BYTES]);
          }
        });
      }
      store.checkpoint();
    }
  }

  private static Store open(TableRun run, Where where) {
    long all = Math.max(TIER_BYTES_MIN, run.plan().size() * ENTRY_BYTES_MAX);
    return Store.open(
        run.directory().path().resolve("offheap"),
        StoreOptions.defaults()
            .durability(Durability.BACKGROUND)
            .cacheBytes(where == Where.HEAP ? all : run.plan().cacheBytes())
            .cache(cache -> cache.offHeapBytes(where == Where.OFF_HEAP ? all : 0)));
  }

  private static byte[] key(int entry) {
    return ByteBuffer.allocate(Long.BYTES).putLong(entry).array();
  }

  private static void run(TableRun run, Where where, int part, Collector collector) {
    int size = run.plan().size() / part;
    String caseName =
        where.name().toLowerCase(Locale.ROOT).replace('_', ' ')
            + (part == 1 ? " all " : " 1/" + part + " ")
            + collector;
    try (Store store = open(run, where)) {
      Space space = store.space("bench");
      for (int entry = 0; entry < size; entry += ENTRIES_OF_LEAF_MIN) {
        get(space, entry); // so that the pages are where they are to be
      }
      for (int threads : run.plan().threads()) {
        measure(run, caseName, space, size, threads);
      }
    }
  }

  private static void get(Space space, int entry) {
    byte[] value = space.get(key(entry));
    if (value == null || value.length != VALUE_BYTES) {
      throw new IllegalStateException("an entry is missing: entry=" + entry);
    }
  }

  private static void measure(TableRun run, String caseName, Space space, int size, int threads) {
    long nanos = run.plan().timing().measuredNanos();
    try (PauseWatch pauses = new PauseWatch()) {
      CellResult result =
          Cell.rate(
              threads,
              run.plan().timing(),
              pauses,
              index -> {
                var random = new SplittableRandom(index);
                return () -> get(space, random.nextInt(size));
              });
      pauses.stop();
      run.rows().accept(caseName, threads, Metric.RATE, result.rate());
      run.rows().accept(caseName, threads, Metric.GC_PAUSE_MAX, pauses.maxMillis());
      run.rows().accept(caseName, threads, Metric.GC_PAUSE_P99, pauses.p99Millis());
      run.rows().accept(caseName, threads, Metric.GC_PAUSE, pauses.totalMillis() * 1e9 / nanos);
    }
  }
}
