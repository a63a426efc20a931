package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.bench.load.KeyOrder;
import io.varve.bench.load.RecordSession;
import io.varve.bench.load.Records;
import io.varve.bench.measure.PageCache;
import io.varve.bench.measure.ProcessUse;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import io.varve.bench.report.RowSink;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Data of which a hundredth fits the cache: inserts in random order one by one, over time; then
/// gets, scans and updates, each from cold, with what each costs.
final class HugeTable implements Table {
  /// The share of keys and values that the cache holds.
  private static final int CACHED_PART = 100;

  private static final long CACHE_BYTES_MIN = 1 << 20;

  /// Points of the line that the inserts draw.
  private static final int POINTS = 20;

  /// A store that is slower than this is known to be slow; what was inserted by then is what is
  /// worked on.
  private static final long INSERT_NANOS_MAX = 900_000_000_000L;

  @Override
  public String label() {
    return "huge";
  }

  @Override
  public String description() {
    return "data of which 1 % fits the cache: inserts in random order, then get, scan and update"
        + " from cold, with pages, bytes and time on a core per operation";
  }

  @Override
  public List<String> engines() {
    return List.of("varve", "rocksdb", "lmdb", "mvstore", "xodus");
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1, 2), List.of(1), Timing.seconds(2, 10), 10_000_000, 16L << 20, Promise.OS);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(plan.promise());
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    return measures(type) ? Optional.empty() : Optional.of("all: keeps no files, or no order");
  }

  @Override
  public boolean measures(EngineType type) {
    return type.features().containsAll(List.of(Feature.PERSISTENT, Feature.ORDERED));
  }

  @Override
  public List<Stage> stages() {
    return List.of(HugeTable::run);
  }

  private static void run(TableRun run) {
    int size = run.plan().size();
    var records = new Records(KeyOrder.HASHED, TableRun.VALUE_BYTES, size);
    long dataBytes = (long) size * (EngineSettings.KEY_BYTES + TableRun.VALUE_BYTES);
    TableRun bounded = run.withCache(Math.max(CACHE_BYTES_MIN, dataBytes / CACHED_PART));
    try (ScratchDirectory data = run.directory().inner("huge")) {
      insert(bounded, data, records);
      cells(bounded, data, records, RecordCells::getUniform);
      cells(bounded, data, records, RecordCells::scan);
      cells(bounded, data, records, RecordCells::update);
      run.rows().accept("all cells", 1, Metric.DISK, ProcessUse.diskBytes(data.path()) / 1e6);
    }
  }

  private static void insert(TableRun run, ScratchDirectory data, Records records) {
    int size = records.capacity();
    try (Engine engine = run.open(data, run.plan().promise(), records);
        var session = new RecordSession(records, engine.session())) {
      var cost = new CostPerOperation(engine);
      cost.begins();
      long begin = System.nanoTime();
      BatchSeries series =
          BatchSeries.run(
              size, Math.max(1, size / POINTS), INSERT_NANOS_MAX, _ -> session.insert());
      long nanos = System.nanoTime() - begin;
      cost.ends();
      int inserted = series.operations();
      series.report(run.rows(), "insert random");
      run.rows().accept("insert random", 1, Metric.RATE, inserted * 1e9 / nanos);
      cost.report(run.rows(), "insert random", 1, inserted);
    }
  }

  private static void cells(
      TableRun run, ScratchDirectory data, Records records, Consumer<RecordCells> cell) {
    for (int threads : run.plan().threads()) {
      PageCache.drop();
      try (Engine engine = run.open(data, run.plan().promise(), records)) {
        var cost = new CostPerOperation(engine);
        RowSink rows =
            (caseName, cellThreads, metric, rate) -> {
              run.rows().accept(caseName, cellThreads, metric, rate);
              double operations = rate * run.plan().timing().measuredNanos() / 1e9;
              cost.report(run.rows(), caseName, cellThreads, operations);
            };
        TableRun one =
            new TableRun(run.type(), run.plan(), run.directory(), rows, run.parent())
                .withThreads(List.of(threads));
        var cells = new RecordCells(one, engine, records, cost);
        cell.accept(cells);
        cells.checkSample();
      }
    }
  }
}
