package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSession;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.bench.load.KeyOrder;
import io.varve.bench.load.RecordSession;
import io.varve.bench.load.Records;
import io.varve.bench.load.WrongAnswerException;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// How long a store takes to open after its process was killed while it wrote, and whether all that
/// it acknowledged is there.
final class OpenTable implements Table {
  private static final int BATCH = 100;
  private static final long KILL_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

  @Override
  public String label() {
    return "open";
  }

  @Override
  public String description() {
    return "open and first answer after a kill -9 during a load, in commits of "
        + BATCH
        + "; the engine's classes and libraries are loaded before";
  }

  @Override
  public List<String> engines() {
    return List.of("varve", "rocksdb", "lmdb", "mvstore", "xodus");
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1), List.of(BATCH), Timing.seconds(0, 0), 1_000_000, 512L << 20, Promise.OS);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(Promise.OS);
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    return measures(type)
        ? Optional.empty()
        : Optional.of("all: has no commit that survives the death of the process");
  }

  @Override
  public boolean measures(EngineType type) {
    return type.features().contains(Feature.COMMIT_TO_OS);
  }

  @Override
  public List<Stage> stages() {
    return List.of(OpenTable::load, OpenTable::open);
  }

  /// Loads until killed, which it asks for when the size is reached, so that the kill comes while
  /// commits are under way.
  private static void load(TableRun run) {
    Records records = records(run);
    Engine engine = run.open(data(run), Promise.OS, records);
    var session = new RecordSession(records, engine.session());
    int size = run.plan().size();
    for (int record = 0; record + BATCH <= records.capacity(); ) {
      session.beginBatch();
      int end = record + BATCH;
      for (; record < end; record++) {
        session.addInsert(record);
      }
      session.commitBatch();
      run.parent().acknowledged(record);
      if (record - BATCH < size && record >= size) {
        run.parent().kill();
      }
    }
    awaitKill();
  }

  private static void awaitKill() {
    long end = System.nanoTime() + KILL_NANOS_MAX;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    throw new IllegalStateException("not killed");
  }

  private static void open(TableRun run) {
    loadClasses(run);
    Records records = records(run);
    int acknowledged = Math.toIntExact(run.parent().acknowledged());
    records.loaded(records.capacity());
    try (Engine engine = timedOpen(run, records, "open after kill")) {
      check(engine, records, acknowledged, run.type());
      run.rows().accept("acknowledged and found", 1, Metric.COUNT, (double) acknowledged);
    }
    timedOpen(run, records, "open after close").close();
  }

  /// Opens a store elsewhere: what it takes to load classes and native libraries is not recovery.
  private static void loadClasses(TableRun run) {
    var records = new Records(KeyOrder.HASHED, TableRun.VALUE_BYTES, BATCH);
    try (ScratchDirectory other = run.directory().inner("classes");
        Engine engine = run.open(other, Promise.OS, records)) {
      Loader.load(engine, records, BATCH, BATCH);
      CommitCell.checkSample(engine, records, BATCH);
    }
  }

  private static Engine timedOpen(TableRun run, Records records, String caseName) {
    long begin = System.nanoTime();
    Engine engine = run.open(data(run), Promise.OS, records);
    try (var session = new RecordSession(records, engine.session())) {
      session.readNewest(0);
    }
    run.rows().accept(caseName, 1, Metric.TIME, (System.nanoTime() - begin) / 1e6);
    return engine;
  }

  /// Every acknowledged record is there; of later commits a prefix is, each whole.
  private static void check(Engine engine, Records records, int acknowledged, EngineType type) {
    try (var session = new RecordSession(records, engine.session());
        EngineSession raw = engine.session()) {
      for (int record = 0; record < acknowledged; record++) {
        session.readNewest(record);
      }
      byte[] key = new byte[EngineSettings.KEY_BYTES];
      int present = acknowledged;
      boolean ended = false;
      for (int record = acknowledged; record < records.capacity(); record++) {
        records.key(record, key);
        long later = record;
        boolean found = raw.get(key, (value, length) -> records.checkNewest(later, value, length));
        if (found && ended) {
          throw new WrongAnswerException("a later commit survived an earlier: record=" + record);
        }
        ended |= !found;
        present += found ? 1 : 0;
      }
      if (type.features().contains(Feature.ATOMIC_BATCH) && present % BATCH != 0) {
        throw new WrongAnswerException("half a commit survived: records=" + present);
      }
    }
  }

  private static ScratchDirectory data(TableRun run) {
    return run.directory().existing("store");
  }

  private static Records records(TableRun run) {
    int size = (run.plan().size() + BATCH - 1) / BATCH * BATCH;
    return new Records(KeyOrder.HASHED, TableRun.VALUE_BYTES, Math.multiplyExact(size, 2));
  }
}
