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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Durable commits by few to many threads.
final class CommitTable implements Table {
  private static final int LOAD_BATCH = 10_000;
  private static final int CHECKED_RECORDS = 20_000;

  @Override
  public String label() {
    return "commit";
  }

  @Override
  public String description() {
    return "commits forced to the disk: updates of random keys in a loaded store";
  }

  @Override
  public List<String> engines() {
    return List.of(
        "varve", "rocksdb", "lmdb", "lmdb-group", "mvstore", "xodus", "xodus-group", "mapdb");
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1, 4, 8, 16, 64, 256, 1000),
        List.of(1, 10, 1000),
        Timing.seconds(0.5, 2),
        1_000_000,
        512L << 20,
        Promise.DISK);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(Promise.DISK);
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    if (!measures(type)) {
      return Optional.of("has no commit that is forced to the disk");
    }
    return type.features().contains(Feature.PARKS_COMMITTERS)
        ? Optional.empty()
        : Optional.of("virtual threads: a waiting committer holds its carrier thread");
  }

  @Override
  public boolean measures(EngineType type) {
    return type.features().contains(Feature.COMMIT_TO_DISK);
  }

  @Override
  public List<Stage> stages() {
    return List.of(CommitTable::run);
  }

  private static void run(TableRun run) {
    Plan plan = run.plan();
    var records = new Records(KeyOrder.HASHED, TableRun.VALUE_BYTES, plan.size());
    try (ScratchDirectory data = run.directory().inner("commit")) {
      try (Engine engine = run.open(data, Promise.DISK, records)) {
        Loader.load(engine, records, plan.size(), LOAD_BATCH);
        engine.settle();
        // Large commits last: what they leave is not to slow the small ones.
        for (int batch : plan.batches()) {
          for (ThreadKind kind : kinds(run.type())) {
            String caseName = "commit of " + batch + " " + kind.label();
            for (int threads : plan.threads()) {
              new CommitCell(threads, kind, batch)
                  .run(caseName, engine, records, plan.timing(), run.rows());
            }
          }
        }
      }
      try (Engine reopened = run.open(data, Promise.DISK, records)) {
        CommitCell.checkSample(reopened, records, CHECKED_RECORDS);
      }
    }
  }

  private static List<ThreadKind> kinds(EngineType type) {
    List<ThreadKind> kinds = new ArrayList<>(List.of(ThreadKind.PLATFORM));
    if (type.features().contains(Feature.PARKS_COMMITTERS)) {
      kinds.add(ThreadKind.VIRTUAL);
    }
    return kinds;
  }
}
