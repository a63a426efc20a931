package io.varve.bench.table;

import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Promise;
import io.varve.bench.engine.VarveLabels;
import io.varve.bench.measure.DeviceLimits;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.ThreadKind;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Items: durable commits of an item space by one and by a thousand threads, with one to very many
/// changes in each, and with weak ones; against the same keys in other stores, the rate of forces
/// of the disk, and what is published of InfinityDB.
final class ItemsTable implements Table {
  private static final long RAW_BYTES = 16L << 20;

  @Override
  public String label() {
    return "items";
  }

  @Override
  public String description() {
    return "items: durable commits, retrieval, and bytes of an item";
  }

  @Override
  public List<String> engines() {
    return List.of("varve", "rocksdb", "mvstore");
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1, 1000),
        List.of(1, 1000, 100_000),
        Timing.seconds(1, 3),
        1_000_000,
        512L << 20,
        Promise.DISK);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(Promise.DISK);
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    if (!measures(type)) {
      return Optional.of("is not among the stores that this table is for");
    }
    return isVarve(type)
        ? Optional.empty()
        : Optional.of("items: keys and commits alone, by platform threads");
  }

  private static boolean isVarve(EngineType type) {
    return type.label().equals(VarveLabels.VARVE);
  }

  @Override
  public List<String> published() {
    return List.of(
        "published (InfinityDB, a machine of 2006; commits/s and changes/s by 1 and 1,000 threads):",
        "  commit of 1         13 and 13            834 and 834",
        "  commit of 1000      2.9 and 2,900        50 and 50,000",
        "  of very many        130,000 changes/s    130,000 changes/s");
  }

  @Override
  public List<Stage> stages() {
    return List.of(ItemsTable::run);
  }

  private static void run(TableRun run) {
    double forceRate = forceRate(run);
    run.rows().accept("raw write and force", 1, Metric.RATE, forceRate);
    for (int batch : run.plan().batches()) {
      for (ThreadKind kind : kinds(run.type())) {
        for (int threads : run.plan().threads()) {
          cell(run, new ItemCell(threads, kind, batch), forceRate);
        }
      }
    }
    if (isVarve(run.type())) {
      ItemFigures.run(run);
      ItemFairness.run(run);
    }
  }

  private static double forceRate(TableRun run) {
    try (ScratchDirectory raw = run.directory().inner("raw")) {
      return new DeviceLimits(raw, RAW_BYTES, run.plan().timing(), run.rows()).forceRate();
    }
  }

  private static List<ThreadKind> kinds(EngineType type) {
    List<ThreadKind> kinds = new ArrayList<>(List.of(ThreadKind.PLATFORM));
    if (isVarve(type)) {
      kinds.add(ThreadKind.VIRTUAL);
    }
    return kinds;
  }

  private static void cell(TableRun run, ItemCell cell, double forceRate) {
    try (ScratchDirectory data = run.directory().inner("items");
        ItemChanges changes =
            isVarve(run.type())
                ? new ItemChanges.OfItemSpace(data, run.plan().cacheBytes())
                : new ItemChanges.OfEngine(run, data)) {
      cell.run(changes, run.plan().timing(), forceRate, run.rows());
    }
  }
}
