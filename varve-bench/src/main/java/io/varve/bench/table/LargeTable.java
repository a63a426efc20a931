package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.bench.load.KeyOrder;
import io.varve.bench.load.Records;
import io.varve.bench.measure.Cell;
import io.varve.bench.measure.PageCache;
import io.varve.bench.measure.ProcessUse;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Data larger than the cache. Every cell begins with a store just opened and, where that is
/// permitted, an empty page cache.
final class LargeTable implements Table {
  private static final int LOAD_BATCH = 1_000;

  @Override
  public String label() {
    return "large";
  }

  @Override
  public String description() {
    return "get, scan and update of data larger than the cache, loaded in key order, each cell from"
        + " cold";
  }

  @Override
  public List<String> engines() {
    return List.of("varve", "rocksdb", "lmdb");
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1, 2),
        List.of(LOAD_BATCH),
        Timing.seconds(2, 5),
        10_000_000,
        256L << 20,
        Promise.OS);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(plan.promise());
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    if (!measures(type)) {
      return Optional.of("all: keeps no files");
    }
    return type.features().contains(Feature.ORDERED)
        ? Optional.empty()
        : Optional.of("scans: has no order");
  }

  @Override
  public boolean measures(EngineType type) {
    return type.features().contains(Feature.PERSISTENT);
  }

  @Override
  public List<Stage> stages() {
    return List.of(LargeTable::run);
  }

  private static void run(TableRun run) {
    int size = run.plan().size();
    var records = new Records(KeyOrder.SEQUENTIAL, TableRun.VALUE_BYTES, size);
    try (ScratchDirectory data = run.directory().inner("large")) {
      try (Engine engine = run.open(data, run.plan().promise(), records)) {
        long nanos = Loader.load(engine, records, size, LOAD_BATCH);
        run.rows().accept("fill sequential", 1, Metric.RATE, size * 1e9 / nanos);
        engine.settle();
      }
      cells(run, data, records, RecordCells::getUniform);
      if (run.type().features().contains(Feature.ORDERED)) {
        cells(run, data, records, RecordCells::scan);
      }
      cells(run, data, records, RecordCells::update);
      run.rows().accept("all cells", 1, Metric.DISK, ProcessUse.diskBytes(data.path()) / 1e6);
    }
  }

  private static void cells(
      TableRun run, ScratchDirectory data, Records records, Consumer<RecordCells> cell) {
    for (int threads : run.plan().threads()) {
      PageCache.drop();
      try (Engine engine = run.open(data, run.plan().promise(), records)) {
        var cells =
            new RecordCells(run.withThreads(List.of(threads)), engine, records, Cell.Observer.NONE);
        cell.accept(cells);
        cells.checkSample();
      }
    }
  }
}
