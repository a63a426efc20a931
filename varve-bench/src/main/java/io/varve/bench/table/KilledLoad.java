package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSession;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.bench.load.KeyOrder;
import io.varve.bench.load.RecordSession;
import io.varve.bench.load.Records;
import io.varve.bench.load.WrongAnswerException;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.report.Metric;
import java.util.concurrent.TimeUnit;

/// A load that a kill ends, in one JVM, and the open of what it left, in the next.
///
/// @param label distinguishes the rows of several loads of one table; may be empty
/// @param valueBytes the length of the values
/// @param size records loaded before the kill
record KilledLoad(String label, int valueBytes, int size) {
  /// Changes per commit.
  static final int BATCH = 100;

  private static final long KILL_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

  /// Records that are all looked for; of more, a sample of this many, and all of the newest.
  private static final int CHECKED_RECORDS = 1_000_000;

  private static final int NEWEST_RECORDS = 100_000;

  /// Loads until killed, which it asks for when the size is reached, so that the kill comes while
  /// commits are under way.
  void load(TableRun run) {
    Records records = records();
    Engine engine = run.open(data(run), Promise.OS, records);
    var session = new RecordSession(records, engine.session());
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

  /// Opens what the load left, checks it, and opens it again after a close.
  void open(TableRun run) {
    loadClasses(run);
    Records records = records();
    int acknowledged = Math.toIntExact(run.parent().acknowledged());
    records.loaded(records.capacity());
    try (Engine engine = timedOpen(run, records, "open after kill")) {
      int lost = lost(engine, records, acknowledged);
      if (lost > 0 && run.type().features().contains(Feature.ATOMIC_BATCH)) {
        throw new WrongAnswerException("acknowledged and lost or wrong: records=" + lost);
      }
      requirePrefix(engine, records, acknowledged, run);
      int found = acknowledged - lost;
      run.rows().accept(caseName("acknowledged and found"), 1, Metric.COUNT, (double) found);
      if (lost > 0) {
        run.rows().accept(caseName("acknowledged and lost"), 1, Metric.COUNT, (double) lost);
      }
    }
    timedOpen(run, records, "open after close").close();
    data(run).close();
  }

  private String caseName(String what) {
    return label.isEmpty() ? what : what + " (" + label + ")";
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

  private Engine timedOpen(TableRun run, Records records, String what) {
    long begin = System.nanoTime();
    Engine engine = run.open(data(run), Promise.OS, records);
    try (var session = new RecordSession(records, engine.session())) {
      session.readNewest(0);
    }
    run.rows().accept(caseName(what), 1, Metric.TIME, (System.nanoTime() - begin) / 1e6);
    return engine;
  }

  /// How many of the records looked for are not there or not what was put. Of a store this must be
  /// none; of a cache's file store it is a figure like others.
  private static int lost(Engine engine, Records records, int acknowledged) {
    int lost = 0;
    try (var session = new RecordSession(records, engine.session())) {
      int step = Math.max(1, acknowledged / CHECKED_RECORDS);
      int newest = Math.max(0, acknowledged - NEWEST_RECORDS);
      for (int record = 0; record < acknowledged; record += record < newest ? step : 1) {
        lost += isRight(session, record) ? 0 : 1;
      }
    }
    return lost;
  }

  private static boolean isRight(RecordSession session, int record) {
    try {
      session.readNewest(record);
      return true;
    } catch (WrongAnswerException _) {
      return false;
    }
  }

  /// Of the commits after those that were acknowledged a prefix is there, each whole.
  private static void requirePrefix(
      Engine engine, Records records, int acknowledged, TableRun run) {
    if (!run.type().features().contains(Feature.ATOMIC_BATCH)) {
      return;
    }
    try (EngineSession raw = engine.session()) {
      byte[] key = new byte[EngineSettings.KEY_BYTES];
      int present = acknowledged;
      boolean ended = false;
      int last = Math.min(records.capacity(), acknowledged + NEWEST_RECORDS);
      for (int record = acknowledged; record < last; record++) {
        records.key(record, key);
        long later = record;
        boolean found = raw.get(key, (value, length) -> records.checkNewest(later, value, length));
        if (found && ended) {
          throw new WrongAnswerException("a later commit survived an earlier: record=" + record);
        }
        ended |= !found;
        present += found ? 1 : 0;
      }
      if (present % BATCH != 0) {
        throw new WrongAnswerException("half a commit survived: records=" + present);
      }
    }
  }

  private ScratchDirectory data(TableRun run) {
    return run.directory().existing("store" + size);
  }

  private Records records() {
    int whole = (size + BATCH - 1) / BATCH * BATCH;
    return new Records(KeyOrder.HASHED, valueBytes, Math.addExact(whole, Math.min(whole, 1 << 20)));
  }
}
