package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSession;
import io.varve.bench.engine.WholeSession;
import io.varve.bench.load.RecordChooser;
import io.varve.bench.load.RecordSession;
import io.varve.bench.load.Records;
import io.varve.bench.load.WrongAnswerException;
import io.varve.bench.load.YcsbWorkload;
import io.varve.bench.measure.Cell;
import io.varve.bench.measure.CellResult;
import io.varve.bench.measure.Worker;
import io.varve.bench.report.Metric;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/// The cells that work on single records of a loaded store.
final class RecordCells {
  private static final int SCAN_LENGTH = 100;
  private static final int TOGETHER = 32;
  private static final int CHECKED_RECORDS = 2_000;

  private final TableRun run;
  private final Engine engine;
  private final Records records;
  private final Cell.Observer observer;

  RecordCells(TableRun run, Engine engine, Records records, Cell.Observer observer) {
    this.run = run;
    this.engine = engine;
    this.records = records;
    this.observer = observer;
  }

  /// Reads of random and of popular records; no thread writes.
  void get() {
    getUniform();
    cell("get zipfian", RecordChooser::zipfian, RecordSession::readNewest);
  }

  /// Reads of random records, many with one call, which counts as one; no thread writes.
  void getTogether() {
    for (int threads : run.plan().threads()) {
      rate(
          "get of " + TOGETHER + " together",
          threads,
          index -> {
            RecordChooser chooser = RecordChooser.uniform(records, new SplittableRandom(index));
            return new Stepper(session -> session.readNewest(chooser, TOGETHER));
          });
    }
  }

  /// Reads of random records; no thread writes.
  void getUniform() {
    getUniform("get uniform");
  }

  /// Reads of random records, under a name of its own; no thread writes.
  void getUniform(String caseName) {
    cell(caseName, RecordChooser::uniform, RecordSession::readNewest);
  }

  /// Commits of one update of a random record.
  void update() {
    cell("update uniform", RecordChooser::uniform, RecordSession::update);
  }

  /// Scans from random records.
  void scan() {
    cell(
        "scan of " + SCAN_LENGTH,
        RecordChooser::uniform,
        (session, record) -> session.scan(record, SCAN_LENGTH));
  }

  /// A YCSB workload.
  void ycsb(YcsbWorkload workload) {
    for (int threads : run.plan().threads()) {
      rate(
          "YCSB-" + workload,
          threads,
          index -> {
            var random = new SplittableRandom(index);
            RecordChooser chooser = workload.chooser(records, random);
            return new Stepper(session -> {
              switch (workload.nextAction(random)) {
                case READ -> session.read(chooser.next());
                case UPDATE -> session.update(chooser.next());
                case INSERT -> session.insert();
                case SCAN ->
                    session.scan(chooser.next(), 1 + random.nextInt(YcsbWorkload.SCAN_LENGTH_MAX));
                case READ_MODIFY_WRITE -> session.readModifyWrite(chooser.next());
              }
            });
          });
    }
  }

  /// Full iteration both ways: one pass to warm up, then passes for the time measured.
  void iterate() {
    iterate("iterate forward", true);
    iterate("iterate backward", false);
  }

  private void iterate(String caseName, boolean ascending) {
    try (var session = new RecordSession(records, engine.session())) {
      checkCount(session.iterate(ascending));
      long entries = 0;
      observer.begins();
      long begin = System.nanoTime();
      long nanos = 0;
      while (nanos < run.plan().timing().measuredNanos()) {
        entries += session.iterate(ascending);
        nanos = System.nanoTime() - begin;
      }
      observer.ends();
      run.rows().accept(caseName, 1, Metric.RATE, entries * 1e9 / nanos);
    }
  }

  /// What caches of a grid do with all entries, by one thread: passes a second.
  ///
  /// @param batch entries that an iteration asks for at a time
  void whole(int batch) {
    try (EngineSession session = engine.session()) {
      if (session instanceof WholeSession all) {
        long valueBytes = records.present() * records.valueBytes();
        whole("size", all::size, records.present());
        whole("sum of value lengths", all::valueBytes, valueBytes);
        whole("iterate", () -> all.iterate(batch), records.present());
      }
    }
  }

  private void whole(String caseName, LongSupplier operation, long expected) {
    rate(
        caseName,
        1,
        _ ->
            () -> {
              long found = operation.getAsLong();
              if (found != expected) {
                throw new WrongAnswerException(
                    "wrong result: case="
                        + caseName
                        + ", expected="
                        + expected
                        + ", found="
                        + found);
              }
            });
  }

  /// Checks that random records are there.
  void checkSample() {
    var random = new SplittableRandom(CHECKED_RECORDS);
    try (var session = new RecordSession(records, engine.session())) {
      for (int i = 0; i < CHECKED_RECORDS; i++) {
        session.read(random.nextLong(records.present()));
      }
    }
  }

  /// Checks all of the store: every record is there, and nothing else.
  void check(boolean ordered) {
    try (var session = new RecordSession(records, engine.session())) {
      for (long record = 0; record < records.present(); record++) {
        session.read(record);
      }
      if (ordered) {
        checkCount(session.iterate(true));
      }
    }
  }

  private void checkCount(long entries) {
    if (entries != records.present()) {
      throw new WrongAnswerException(
          "wrong number of entries: expected=" + records.present() + ", found=" + entries);
    }
  }

  @FunctionalInterface
  private interface Choice {
    RecordChooser chooser(Records records, RandomGenerator random);
  }

  @FunctionalInterface
  private interface Operation {
    void run(RecordSession session, long record);
  }

  private void cell(String caseName, Choice choice, Operation operation) {
    for (int threads : run.plan().threads()) {
      rate(
          caseName,
          threads,
          index -> {
            RecordChooser chooser = choice.chooser(records, new SplittableRandom(index));
            return new Stepper(session -> operation.run(session, chooser.next()));
          });
    }
  }

  private void rate(String caseName, int threads, Worker.Factory workers) {
    CellResult result = Cell.rate(threads, run.plan().timing(), observer, workers);
    run.rows().accept(caseName, threads, Metric.RATE, result.rate());
  }

  @FunctionalInterface
  private interface Step {
    void run(RecordSession session);
  }

  /// Repeats a step in a session of its own.
  private final class Stepper implements Worker {
    private final RecordSession session = new RecordSession(records, engine.session());
    private final Step step;

    Stepper(Step step) {
      this.step = step;
    }

    @Override
    public void step() {
      step.run(session);
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
