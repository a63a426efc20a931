package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Engines;
import io.varve.bench.engine.Promise;
import io.varve.bench.engine.VarveLabels;
import io.varve.bench.load.KeyOrder;
import io.varve.bench.load.Records;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.ThreadKind;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import io.varve.bench.report.RowSink;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Forced commits of 1 KiB by each design of group commit. The default should lead every line,
/// although no option is set for it.
final class AppendTable implements Table {
  private static final int VALUE_BYTES = 1024;
  private static final int LOAD_BATCH = 1_000;

  /// From so many on, threads are virtual ones.
  private static final int VIRTUAL_FROM = 1_000;

  /// The time of the published figures.
  private static final int PUBLISHED_SECONDS = 30;

  @Override
  public String label() {
    return "append";
  }

  @Override
  public String description() {
    return "forced commits of 1 KiB: the default against each other design of group commit";
  }

  @Override
  public List<String> engines() {
    return Stream.concat(
            Stream.of(VarveLabels.VARVE), Engines.groupings().stream().map(EngineType::label))
        .toList();
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(4, 8, 12, 16, 20, 80, 1000),
        List.of(1),
        Timing.seconds(0.5, 2),
        20_000,
        512L << 20,
        Promise.DISK);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(plan.promise());
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    return measures(type) ? Optional.empty() : Optional.of("all: has no choice of group commit");
  }

  @Override
  public List<String> published() {
    return List.of(
        "published (infinispan-dev, 'Appending to file'; appends of 1 kB in 30 s, 8 cores):",
        "  threads                          4       8      12      16      20      80",
        "  simple: each forces         16,988  17,108  17,139  17,280  17,511       -",
        "  waiting, limit all, 1 ms    37,956  71,457  97,084 126,192 139,788       -",
        "  waiting, limit all, 2 ms    39,280  70,248 100,200 119,643 140,020       -",
        "  waiting, limit all, 4 ms    39,620  68,456  95,885 119,486 150,128       -",
        "  waiting, limit twice, 1 ms  29,536  54,152  78,684 104,800 120,999       -",
        "  waiting, limit twice, 2 ms  23,720  44,240  66,283  84,576 101,877       -",
        "  waiting, limit twice, 4 ms  16,600  32,432  47,700  62,452  77,120       -",
        "  waiting, limit half, 1 ms   29,530  38,104  51,462  68,168  80,130       -",
        "  waiting, limit half, 2 ms   29,302  38,788  52,134  70,368  78,710       -",
        "  waiting, limit half, 4 ms   29,234  38,164  51,822  67,912  78,450       -",
        "  one writer, spinning        40,707   6,252   7,241   8,956  10,037       -",
        "  one writer, yielding        42,595  85,144 126,233 158,579 187,211 435,000",
        "    its forces                20,804  17,859  17,027  15,380  14,644       -",
        "  one writer, waiting         28,979  38,323  55,867  82,333 116,620       -");
  }

  @Override
  public List<Stage> stages() {
    return List.of(AppendTable::run);
  }

  private static void run(TableRun run) {
    Plan plan = run.plan();
    // Each thread has records of its own.
    int size = Math.max(plan.size(), Collections.max(plan.threads()));
    var records = new Records(KeyOrder.HASHED, VALUE_BYTES, size);
    try (ScratchDirectory data = run.directory().inner("append")) {
      var settings =
          new EngineSettings(
              data.path(), plan.promise(), plan.cacheBytes(), records.capacity(), VALUE_BYTES);
      boolean loaded = false;
      for (int threads : plan.threads()) {
        try (Engine engine = run.type().forThreads(threads).open(settings)) {
          if (!loaded) {
            Loader.load(engine, records, size, LOAD_BATCH);
            engine.settle();
            loaded = true;
          }
          ThreadKind kind = threads >= VIRTUAL_FROM ? ThreadKind.VIRTUAL : ThreadKind.PLATFORM;
          new CommitCell(threads, kind, 1)
              .run("append " + kind.label(), engine, records, plan.timing(), scaled(run.rows()));
        }
      }
    }
  }

  /// Adds to each rate what it comes to in the time of the published figures.
  private static RowSink scaled(RowSink rows) {
    return (caseName, threads, metric, value) -> {
      rows.accept(caseName, threads, metric, value);
      if (metric == Metric.RATE) {
        rows.accept(caseName, threads, Metric.APPENDS, value * PUBLISHED_SECONDS);
      }
    };
  }
}
