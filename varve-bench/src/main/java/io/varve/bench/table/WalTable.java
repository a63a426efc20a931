package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.bench.load.KeyOrder;
import io.varve.bench.load.Records;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.ThreadKind;
import io.varve.bench.measure.Timing;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What each promise costs, with each way to write the log. A store in memory has no promise at
/// all, next to the commits in background.
final class WalTable implements Table {
  private static final int LOAD_BATCH = 1_000;
  private static final int CHECKED_RECORDS = 20_000;

  @Override
  public String label() {
    return "wal";
  }

  @Override
  public String description() {
    return "commits of one update: each promise with each way to write the log";
  }

  @Override
  public List<String> engines() {
    return List.of("varve", "varve-buffered", "varve-mapped", "varve-memory", "rocksdb", "ignite");
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1, 2, 4, 8), List.of(1), Timing.seconds(1, 2), 100_000, 512L << 20, Promise.DISK);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return Stream.of(Promise.DISK, Promise.OS, Promise.FAST)
        .filter(promise -> can(type, promise))
        .toList();
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    return measures(type) ? Optional.empty() : Optional.of("all: has no log");
  }

  @Override
  public boolean measures(EngineType type) {
    return type.features().contains(Feature.WRITE_AHEAD_LOG) || isCeiling(type);
  }

  private static boolean isCeiling(EngineType type) {
    return type.label().equals("varve-memory");
  }

  @Override
  public List<String> published() {
    return List.of(
        "published (IGNITE-6339; updates/s in thousands; direct, one writer, mapped):",
        "  threads     BACKGROUND                  LOG_ONLY                   DEFAULT (forced)",
        "        1   70-80 / 64-65 / 70-80       60-65 / 36-37 / 70-80       1 / 1 / 1",
        "        2   127-128 / 100-110 / 127-128 100-105 / 60-70 / 124-125   1-2 / 1-2 / 1",
        "        4   190-200 / 170-180 / 190-200 130-140 / 100-110 / 190-200 3-4 / 3-4 / 1",
        "        8   220-230 each                50-60 / 150-160 / 210-220   5-6 / 5-6 / 1");
  }

  @Override
  public List<Stage> stages() {
    return List.of(WalTable::run);
  }

  private static void run(TableRun run) {
    for (Promise promise : Promise.values()) {
      if (can(run.type(), promise)) {
        run(run, promise);
      }
    }
  }

  private static void run(TableRun run, Promise promise) {
    Plan plan = run.plan();
    var records = new Records(KeyOrder.HASHED, TableRun.VALUE_BYTES, plan.size());
    try (ScratchDirectory data = run.directory().inner("wal")) {
      try (Engine engine = run.open(data, promise, records)) {
        Loader.load(engine, records, plan.size(), LOAD_BATCH);
        engine.settle();
        for (int threads : plan.threads()) {
          new CommitCell(threads, ThreadKind.PLATFORM, 1)
              .run(caseName(promise), engine, records, plan.timing(), run.rows());
        }
      }
      if (run.type().features().contains(Feature.PERSISTENT)) {
        try (Engine reopened = run.open(data, promise, records)) {
          CommitCell.checkSample(reopened, records, CHECKED_RECORDS);
        }
      }
    }
  }

  private static String caseName(Promise promise) {
    return switch (promise) {
      case DISK -> "power loss";
      case OS -> "process crash";
      case FAST -> "background";
    };
  }

  private static boolean can(EngineType type, Promise promise) {
    return switch (promise) {
      case DISK -> type.features().contains(Feature.COMMIT_TO_DISK);
      case OS -> type.features().contains(Feature.COMMIT_TO_OS);
      case FAST -> type.features().contains(Feature.COMMIT_IN_BACKGROUND) || isCeiling(type);
    };
  }
}
