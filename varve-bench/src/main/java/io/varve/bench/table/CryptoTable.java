package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Promise;
import io.varve.bench.engine.VarveLabels;
import io.varve.bench.load.KeyOrder;
import io.varve.bench.load.Records;
import io.varve.bench.measure.Cell;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.ThreadKind;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import java.util.List;
import java.util.Optional;

/// What encryption costs: the same store with it and without.
final class CryptoTable implements Table {
  private static final int LOAD_BATCH = 1_000;

  /// A store that caches so small a part of its data reads nearly every leaf from its file.
  private static final int CACHED_SHARE = 20;

  private static final long CACHE_BYTES_MIN = 1 << 20;

  @Override
  public String label() {
    return "crypto";
  }

  @Override
  public String description() {
    return "encrypted and in clear: fill, checkpoint, commits, gets; AES-GCM of the JDK alone";
  }

  @Override
  public List<String> engines() {
    return List.of(VarveLabels.VARVE, VarveLabels.ENCRYPTED);
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1, 64), List.of(1), Timing.seconds(1, 2), 1_000_000, 512L << 20, Promise.DISK);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(Promise.DISK, Promise.OS, Promise.FAST);
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    return measures(type) ? Optional.empty() : Optional.of("all: not measured encrypted");
  }

  @Override
  public List<Stage> stages() {
    return List.of(CryptoTable::run);
  }

  private static void run(TableRun run) {
    int size = run.plan().size();
    var records = new Records(KeyOrder.HASHED, TableRun.VALUE_BYTES, size);
    if (run.type().label().equals(VarveLabels.ENCRYPTED)) {
      AesGcmCells.run(run.plan().timing(), run.rows());
    }
    try (ScratchDirectory data = run.directory().inner("crypto")) {
      try (Engine engine = run.open(data, Promise.FAST, records)) {
        fill(run, engine, records);
      }
      commits(run, data, records, Promise.DISK, "commit to disk");
      commits(run, data, records, Promise.OS, "commit to os");
      TableRun single = run.withThreads(List.of(1));
      gets(single, data, records, "get from cache");
      long few = (long) size * TableRun.VALUE_BYTES / CACHED_SHARE;
      gets(single.withCache(Math.max(CACHE_BYTES_MIN, few)), data, records, "get from file");
    }
  }

  /// Loads all records, and writes the pages of all in one checkpoint.
  private static void fill(TableRun run, Engine engine, Records records) {
    int size = run.plan().size();
    long loading = Loader.load(engine, records, size, LOAD_BATCH);
    long begin = System.nanoTime();
    engine.settle();
    long settling = System.nanoTime() - begin;
    run.rows().accept("fill random", 1, Metric.RATE, size * 1e9 / loading);
    run.rows().accept("checkpoint of the fill", 1, Metric.TIME, settling / 1e6);
  }

  private static void commits(
      TableRun run, ScratchDirectory data, Records records, Promise promise, String caseName) {
    try (Engine engine = run.open(data, promise, records)) {
      for (int threads : run.plan().threads()) {
        new CommitCell(threads, ThreadKind.PLATFORM, 1)
            .run(caseName, engine, records, run.plan().timing(), run.rows());
      }
    }
  }

  private static void gets(TableRun run, ScratchDirectory data, Records records, String caseName) {
    try (Engine engine = run.open(data, Promise.OS, records)) {
      new RecordCells(run, engine, records, Cell.Observer.NONE).getUniform(caseName);
    }
  }
}
