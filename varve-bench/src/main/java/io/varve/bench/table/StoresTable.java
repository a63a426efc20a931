package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Engines;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.bench.engine.VarveLabels;
import io.varve.bench.load.KeyOrder;
import io.varve.bench.load.Records;
import io.varve.bench.measure.GcWatch;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.ThreadKind;
import io.varve.bench.measure.Timing;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Stores of Infinispan under a local cache that writes through: writes and reads of entries that
/// are not on the heap, and the first answer after a kill.
final class StoresTable implements Table {
  private static final int VALUE_BYTES = 1_000;

  /// Of so many entries that a restart finds one is there to be written and read.
  private static final int ENTRIES_PER_WORKED = 20;

  private static final int LOAD_BATCH = 100;

  /// As in the benchmark of 50,000 entries of 1,000 bytes in "Segmented data containers", of
  /// Infinispan's blog of 2 October 2018.
  private static final int ITERATION_BATCH = 4_096;

  private static final int CHECKED_RECORDS = 10_000;

  /// Of entries on the heap: few, so that reads are the store's.
  private static final long HEAP_BYTES = 1 << 20;

  @Override
  public String label() {
    return "stores";
  }

  @Override
  public String description() {
    return "stores of Infinispan under a local cache that writes through, values of "
        + VALUE_BYTES
        + " bytes: puts, gets and passes over the twentieth part of --size, and open and first"
        + " answer after a kill -9 with all";
  }

  @Override
  public List<String> engines() {
    return List.of(
        VarveLabels.VARVE, "infinispan-sifs", "infinispan-single-file", "infinispan-rocksdb");
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1, 2), List.of(1), Timing.seconds(3, 5), 1_000_000, HEAP_BYTES, Promise.OS);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return Stream.of(Promise.OS, Promise.DISK)
        .filter(promise -> can(store(type), promise))
        .toList();
  }

  @Override
  public String describe(EngineType type, Promise promise) {
    return store(type).describe(promise);
  }

  /// Varve stands for its store here.
  private static EngineType store(EngineType type) {
    return type.label().equals(VarveLabels.VARVE)
        ? Engines.find("infinispan-varve").orElseThrow()
        : type;
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    if (!measures(type)) {
      return Optional.of("all: is no store of Infinispan");
    }
    return can(store(type), Promise.DISK)
        ? Optional.empty()
        : Optional.of("puts to disk: has no write that is forced to the disk");
  }

  @Override
  public List<Stage> stages() {
    return List.of(
        stage(StoresTable::work),
        stage(run -> killed(run).load(run)),
        stage(run -> killed(run).open(run)));
  }

  private static Stage stage(Consumer<TableRun> body) {
    return run -> body.accept(run.withType(store(run.type())));
  }

  private static KilledLoad killed(TableRun run) {
    return new KilledLoad("", VALUE_BYTES, run.plan().size());
  }

  private static void work(TableRun run) {
    for (Promise promise : List.of(Promise.OS, Promise.DISK)) {
      if (can(run.type(), promise)) {
        work(run, promise);
      }
    }
  }

  private static void work(TableRun run, Promise promise) {
    int size = Math.max(LOAD_BATCH, run.plan().size() / ENTRIES_PER_WORKED);
    var records = new Records(KeyOrder.HASHED, VALUE_BYTES, size);
    try (ScratchDirectory data = run.directory().inner("stores")) {
      try (Engine engine = run.open(data, promise, records);
          GcWatch watch = new GcWatch()) {
        Loader.load(engine, records, size, LOAD_BATCH);
        if (promise == Promise.OS) {
          var cells = new RecordCells(run, engine, records, watch);
          cells.getUniform("get");
          cells.whole(ITERATION_BATCH);
        }
        for (int threads : run.plan().threads()) {
          new CommitCell(threads, ThreadKind.PLATFORM, 1)
              .run(
                  promise == Promise.OS ? "put" : "put to disk",
                  engine,
                  records,
                  run.plan().timing(),
                  run.rows());
        }
      }
      try (Engine reopened = run.open(data, promise, records)) {
        CommitCell.checkSample(reopened, records, CHECKED_RECORDS);
      }
    }
  }

  private static boolean can(EngineType type, Promise promise) {
    return promise != Promise.DISK || type.features().contains(Feature.COMMIT_TO_DISK);
  }
}
