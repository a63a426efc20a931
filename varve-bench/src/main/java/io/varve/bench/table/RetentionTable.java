package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Engines;
import io.varve.bench.engine.PageUse;
import io.varve.bench.engine.Promise;
import io.varve.bench.engine.VarveLabels;
import io.varve.bench.load.KeyOrder;
import io.varve.bench.load.RecordChooser;
import io.varve.bench.load.RecordSession;
import io.varve.bench.load.Records;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/// How many of the pages that reads want each policy of retention has in memory, against Caffeine
/// with as many pages.
final class RetentionTable implements Table {
  private static final int LOAD_BATCH = 1_000;
  private static final int ENTRY_BYTES = 8;
  private static final long CACHE_BYTES_MIN = 1 << 20;
  private static final int[] PERCENT_IN_MEMORY = {50, 10, 5};

  /// Operations per record, first to fill the cache and then to measure.
  private static final int ROUNDS = 2;

  /// A scan comes once in so many reads, and passes this part of the records.
  private static final int READS_PER_SCAN = 10_000;

  private static final int SCANNED_PART = 5;

  @Override
  public String label() {
    return "retention";
  }

  @Override
  public String description() {
    return "share of page uses that find the page in memory: popular records that are together,"
        + " popular records anywhere, and both with scans";
  }

  @Override
  public List<String> engines() {
    List<String> engines = new ArrayList<>(List.of(VarveLabels.VARVE));
    engines.addAll(Engines.VARVE_POLICIES);
    engines.add("caffeine-pages");
    return engines;
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1), List.of(LOAD_BATCH), Timing.seconds(0, 0), 500_000, 64L << 20, Promise.FAST);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(plan.promise());
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    return measures(type) ? Optional.empty() : Optional.of("all: does not count uses of pages");
  }

  @Override
  public List<Stage> stages() {
    return List.of(RetentionTable::run);
  }

  private static void run(TableRun run) {
    for (int percent : PERCENT_IN_MEMORY) {
      cell(run, percent, "popular together", RecordChooser::latest, false);
      cell(run, percent, "popular together with scans", RecordChooser::latest, true);
      cell(run, percent, "popular anywhere", RecordChooser::zipfian, false);
      cell(run, percent, "popular anywhere with scans", RecordChooser::zipfian, true);
    }
  }

  @FunctionalInterface
  private interface Choice {
    RecordChooser chooser(Records records, SplittableRandom random);
  }

  private static void cell(
      TableRun run, int percent, String caseName, Choice choice, boolean scans) {
    int size = run.plan().size();
    var records = new Records(KeyOrder.SEQUENTIAL, TableRun.VALUE_BYTES, size);
    long pageBytes = (long) size * (EngineSettings.KEY_BYTES + TableRun.VALUE_BYTES + ENTRY_BYTES);
    TableRun bounded = run.withCache(Math.max(CACHE_BYTES_MIN, pageBytes * percent / 100));
    try (ScratchDirectory data = run.directory().inner("retention");
        Engine engine = bounded.open(data, run.plan().promise(), records)) {
      Loader.load(engine, records, size, LOAD_BATCH);
      engine.settle();
      try (var session = new RecordSession(records, engine.session())) {
        var random = new SplittableRandom(size);
        RecordChooser chooser = choice.chooser(records, random);
        read(session, chooser, random, size, scans);
        PageUse before = engine.pageUse();
        read(session, chooser, random, size, scans);
        double ratio = engine.pageUse().since(before).hitRatio();
        run.rows().accept(caseName + " " + percent + "%", 1, Metric.HIT_RATIO, 100 * ratio);
      }
    }
  }

  private static void read(
      RecordSession session,
      RecordChooser chooser,
      SplittableRandom random,
      int size,
      boolean scans) {
    for (int i = 1; i <= ROUNDS * size; i++) {
      session.read(chooser.next());
      if (scans && i % READS_PER_SCAN == 0) {
        session.scan(random.nextLong(size), Math.max(1, size / SCANNED_PART));
      }
    }
  }
}
