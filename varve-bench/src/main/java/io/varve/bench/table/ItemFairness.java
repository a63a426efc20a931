package io.varve.bench.table;

import io.varve.Durability;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.bench.measure.Cell;
import io.varve.bench.measure.CellResult;
import io.varve.bench.measure.DeviceLimits;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.ThreadKind;
import io.varve.bench.measure.Timing;
import io.varve.bench.measure.Worker;
import io.varve.bench.report.Metric;
import io.varve.item.Item;
import io.varve.item.ItemSpace;

/// What strong commits of items take alone, and with many threads that commit as fast as they can
/// without waiting for the disk.
final class ItemFairness {
  private static final int STRONG_THREADS = 2;
  private static final int WEAK_THREADS = 64;
  private static final long RAW_BYTES = 16L << 20;

  private ItemFairness() {}

  static void run(TableRun run) {
    try (ScratchDirectory raw = run.directory().inner("raw")) {
      new DeviceLimits(raw, RAW_BYTES, run.plan().timing(), run.rows())
          .forcesConcurrently(WEAK_THREADS);
    }
    StoreOptions options = StoreOptions.defaults().cacheBytes(run.plan().cacheBytes());
    try (ScratchDirectory data = run.directory().inner("items");
        Store store = Store.open(data.path(), options)) {
      ItemSpace items = store.items("items");
      Timing timing = run.plan().timing();
      report(run, "strong commits alone", strong(items, timing));
      Cell.Pair results = Cell.together(() -> weak(items, timing), () -> strong(items, timing));
      report(run, "strong commits with " + WEAK_THREADS + " weak", results.second());
      run.rows()
          .accept("weak commits with strong", WEAK_THREADS, Metric.RATE, results.first().rate());
    }
  }

  private static void report(TableRun run, String caseName, CellResult result) {
    run.rows().accept(caseName, STRONG_THREADS, Metric.RATE, result.rate());
    run.rows().accept(caseName, STRONG_THREADS, Metric.LATENCY_P50, result.micros(50));
    run.rows().accept(caseName, STRONG_THREADS, Metric.LATENCY_P99, result.micros(99));
  }

  private static CellResult strong(ItemSpace items, Timing timing) {
    return Cell.latency(
        STRONG_THREADS,
        ThreadKind.PLATFORM,
        timing,
        Cell.Observer.NONE,
        index -> committer(items, "strong", index, true));
  }

  private static CellResult weak(ItemSpace items, Timing timing) {
    return Cell.rate(
        WEAK_THREADS, timing, Cell.Observer.NONE, index -> committer(items, "weak", index, false));
  }

  /// Each has an item of its own that it changes again and again.
  private static Worker committer(ItemSpace items, String kind, int index, boolean waits) {
    return new Worker() {
      private long value;

      @Override
      public void step() {
        items.update(Item.of(kind, index, value++), 2);
        items.commit(waits ? Durability.POWER_LOSS : Durability.BACKGROUND);
      }
    };
  }
}
