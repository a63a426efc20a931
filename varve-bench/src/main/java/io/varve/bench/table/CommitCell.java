package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.load.RecordSession;
import io.varve.bench.load.Records;
import io.varve.bench.measure.Cell;
import io.varve.bench.measure.CellResult;
import io.varve.bench.measure.ThreadKind;
import io.varve.bench.measure.Timing;
import io.varve.bench.measure.Worker;
import io.varve.bench.report.Metric;
import io.varve.bench.report.RowSink;
import java.util.SplittableRandom;

/// Threads that commit updates of random records. Each thread has records of its own, so that the
/// newest version of every record is known exactly and checked afterwards.
///
/// @param threads how many
/// @param kind of threads
/// @param changes per commit
record CommitCell(int threads, ThreadKind kind, int changes) {
  private static final int CHECKED_RECORDS = 2_000;

  /// Runs the cell, gives its rows, and checks a sample of the store.
  void run(String caseName, Engine engine, Records records, Timing timing, RowSink rows) {
    var forces = new ForceCount(engine);
    CellResult result =
        Cell.latency(threads, kind, timing, forces, index -> new Committer(engine, records, index));
    rows.accept(caseName, threads, Metric.RATE, result.rate());
    rows.accept(caseName, threads, Metric.LATENCY_P50, result.micros(50));
    rows.accept(caseName, threads, Metric.LATENCY_P99, result.micros(99));
    if (forces.isKnown()) {
      rows.accept(caseName, threads, Metric.FORCES, forces.count() * 1e9 / result.nanos());
    }
    checkSample(engine, records, CHECKED_RECORDS);
  }

  /// Checks that random records are there in their newest version.
  static void checkSample(Engine engine, Records records, int count) {
    var random = new SplittableRandom(count);
    try (var session = new RecordSession(records, engine.session())) {
      for (int i = 0; i < count; i++) {
        session.readNewest(random.nextLong(records.present()));
      }
    }
  }

  private final class Committer implements Worker {
    private final RecordSession session;
    private final SplittableRandom random;
    private final long ownRecords;
    private final int index;

    Committer(Engine engine, Records records, int index) {
      this.index = index;
      session = new RecordSession(records, engine.session());
      random = new SplittableRandom(index);
      ownRecords = Math.max(1, records.present() / threads);
    }

    @Override
    public void step() {
      if (changes == 1) {
        session.update(ownRecord());
        return;
      }
      session.beginBatch();
      for (int i = 0; i < changes; i++) {
        session.addUpdate(ownRecord());
      }
      session.commitBatch();
    }

    private long ownRecord() {
      return random.nextLong(ownRecords) * threads + index;
    }

    @Override
    public void close() {
      session.close();
    }
  }

  /// Forces of the log within the time measured.
  private static final class ForceCount implements Cell.Observer {
    private final Engine engine;
    private long before;
    private long after;

    ForceCount(Engine engine) {
      this.engine = engine;
    }

    @Override
    public void begins() {
      before = engine.forces().orElse(0);
    }

    @Override
    public void ends() {
      after = engine.forces().orElse(0);
    }

    boolean isKnown() {
      return engine.forces().isPresent();
    }

    long count() {
      return after - before;
    }
  }
}
