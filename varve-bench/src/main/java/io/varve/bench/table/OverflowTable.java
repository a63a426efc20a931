package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Engines;
import io.varve.bench.engine.Promise;
import io.varve.bench.engine.VarveLabels;
import io.varve.bench.load.KeyOrder;
import io.varve.bench.load.RecordSession;
import io.varve.bench.load.Records;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.words.TextsType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// An index that overflows memory: inserts, then reads in the same order, with a part of the pages
/// in memory. What matters is that time per operation stays the same while the index grows.
final class OverflowTable implements Table {
  /// What is timed together.
  private static final int BATCH = 10_000;

  /// A series has at least so many points.
  private static final int BATCHES_MIN = 20;

  private static final int SMALLER = 5;

  /// What an entry takes in a page in addition to key and value.
  private static final int ENTRY_BYTES = 8;

  private static final long CACHE_BYTES_MIN = 1 << 20;
  private static final int[] PERCENT_IN_MEMORY = {50, 10};

  /// A store that is slower than this for one series is known to be slow.
  private static final long SERIES_NANOS_MAX = 60_000_000_000L;

  /// The order in which keys come.
  private enum Order {
    ASCENDING(KeyOrder.SEQUENTIAL),
    DESCENDING(KeyOrder.SEQUENTIAL),
    RANDOM(KeyOrder.HASHED);

    private final KeyOrder keys;

    Order(KeyOrder keys) {
      this.keys = keys;
    }

    long record(int index, int size) {
      return this == DESCENDING ? size - 1 - index : index;
    }

    String label() {
      return switch (this) {
        case ASCENDING -> "ascending";
        case DESCENDING -> "descending";
        case RANDOM -> "random";
      };
    }
  }

  @Override
  public String label() {
    return "overflow";
  }

  @Override
  public String description() {
    return "inserts of one key each, then reads, in ascending, descending and random order, with a"
        + " part of the pages in memory: milliseconds per "
        + BATCH
        + " over the run";
  }

  @Override
  public List<String> engines() {
    List<String> engines = new ArrayList<>(List.of(VarveLabels.VARVE));
    engines.addAll(Engines.VARVE_POLICIES);
    engines.addAll(List.of("mvstore", "mapdb", "xodus", "caffeine-pages", "ehcache-pages"));
    return engines;
  }

  /// The larger of two sizes; the other is a fifth of it.
  @Override
  public Plan plan() {
    return new Plan(
        List.of(1), List.of(1), Timing.seconds(0, 0), 1_000_000, 64L << 20, Promise.FAST);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(plan.promise());
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    return Optional.empty();
  }

  @Override
  public boolean measures(EngineType type) {
    return !(type instanceof TextsType);
  }

  @Override
  public List<Stage> stages() {
    return List.of(OverflowTable::run);
  }

  private static void run(TableRun run) {
    int size = run.plan().size();
    warmUp(run, Math.max(BATCHES_MIN, size / SMALLER / 2));
    for (int part : IntStream.of(size / SMALLER, size).filter(part -> part > 0).toArray()) {
      for (int percent : PERCENT_IN_MEMORY) {
        for (Order order : Order.values()) {
          series(run, order, part, percent);
        }
      }
    }
  }

  /// Compiles what is measured.
  private static void warmUp(TableRun run, int size) {
    TableRun silent =
        new TableRun(run.type(), run.plan(), run.directory(), (_, _, _, _) -> {}, run.parent());
    for (Order order : Order.values()) {
      series(silent, order, size, PERCENT_IN_MEMORY[0]);
    }
  }

  private static void series(TableRun run, Order order, int size, int percent) {
    var records = new Records(order.keys, TableRun.VALUE_BYTES, size);
    long pageBytes = (long) size * (EngineSettings.KEY_BYTES + TableRun.VALUE_BYTES + ENTRY_BYTES);
    TableRun bounded = run.withCache(Math.max(CACHE_BYTES_MIN, pageBytes * percent / 100));
    int batch = Math.max(1, Math.min(BATCH, size / BATCHES_MIN));
    String caseName = order.label() + " " + percent + "% of " + size;
    try (ScratchDirectory data = run.directory().inner("overflow");
        Engine engine = bounded.open(data, run.plan().promise(), records);
        var session = new RecordSession(records, engine.session())) {
      BatchSeries inserts =
          BatchSeries.run(
              size, batch, SERIES_NANOS_MAX, index -> session.update(order.record(index, size)));
      inserts.report(run.rows(), "insert " + caseName);
      BatchSeries.run(
              inserts.operations(),
              batch,
              SERIES_NANOS_MAX,
              index -> session.readNewest(order.record(index, size)))
          .report(run.rows(), "read " + caseName);
    }
  }
}
