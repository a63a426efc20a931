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

/// Commits of one operation that wait for no disk.
final class NosyncTable implements Table {
  private static final int LOAD_BATCH = 1_000;
  private static final int CHECKED_RECORDS = 20_000;

  @Override
  public String label() {
    return "nosync";
  }

  @Override
  public String description() {
    return "commits of one update handed to the operating system, or written in the background";
  }

  @Override
  public List<String> engines() {
    return List.of(
        "varve",
        "rocksdb",
        "rocksdb-walbuffer",
        "lmdb",
        "lmdb-writemap",
        "lmdb-group",
        "mvstore",
        "xodus");
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1, 2, 4, 8), List.of(1), Timing.seconds(1, 2), 1_000_000, 512L << 20, Promise.OS);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return Stream.of(Promise.OS, Promise.FAST).filter(promise -> can(type, promise)).toList();
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    if (!can(type, Promise.OS) && !can(type, Promise.FAST)) {
      return Optional.of("has no commit that survives the death of the process, and no such mode");
    }
    if (!can(type, Promise.OS)) {
      return Optional.of("os: has no such commit in this mode");
    }
    return can(type, Promise.FAST)
        ? Optional.empty()
        : Optional.of("background: has no mode of its own for it");
  }

  @Override
  public boolean measures(EngineType type) {
    return can(type, Promise.OS) || can(type, Promise.FAST);
  }

  @Override
  public List<Stage> stages() {
    return List.of(NosyncTable::run);
  }

  private static void run(TableRun run) {
    for (Promise promise : List.of(Promise.OS, Promise.FAST)) {
      if (can(run.type(), promise)) {
        run(run, promise);
      }
    }
  }

  private static void run(TableRun run, Promise promise) {
    Plan plan = run.plan();
    var records = new Records(KeyOrder.HASHED, TableRun.VALUE_BYTES, plan.size());
    String caseName = promise == Promise.OS ? "commit to os" : "commit in background";
    try (ScratchDirectory data = run.directory().inner("nosync")) {
      try (Engine engine = run.open(data, promise, records)) {
        Loader.load(engine, records, plan.size(), LOAD_BATCH);
        engine.settle();
        for (int threads : plan.threads()) {
          new CommitCell(threads, ThreadKind.PLATFORM, 1)
              .run(caseName, engine, records, plan.timing(), run.rows());
        }
      }
      try (Engine reopened = run.open(data, promise, records)) {
        CommitCell.checkSample(reopened, records, CHECKED_RECORDS);
      }
    }
  }

  private static boolean can(EngineType type, Promise promise) {
    return switch (promise) {
      case DISK -> type.features().contains(Feature.COMMIT_TO_DISK);
      case OS -> type.features().contains(Feature.COMMIT_TO_OS);
      case FAST -> type.features().contains(Feature.COMMIT_IN_BACKGROUND);
    };
  }
}
