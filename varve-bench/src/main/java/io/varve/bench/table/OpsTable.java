package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.bench.load.KeyOrder;
import io.varve.bench.load.Records;
import io.varve.bench.load.YcsbWorkload;
import io.varve.bench.measure.GcWatch;
import io.varve.bench.measure.ProcessUse;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import io.varve.bench.words.TextsType;
import java.util.List;
import java.util.Optional;

/// Single operations and scans on data that fits the cache.
final class OpsTable implements Table {
  private static final int LOAD_BATCH = 1_000;
  private static final int WARM_UP_SHARE = 10;

  /// Inserts per second and thread that files are sized for; more than any store does.
  private static final int INSERTS_PER_SECOND_MAX = 100_000;

  private static final double MEGABYTE = 1e6;

  @Override
  public String label() {
    return "ops";
  }

  @Override
  public String description() {
    return "fill, get, get of many, scan, iterate and the YCSB workloads on data that fits the"
        + " cache";
  }

  @Override
  public List<String> engines() {
    return List.of(
        "varve", "rocksdb", "lmdb", "mvstore", "xodus", "mapdb", "chronicle-map", "skiplist");
  }

  @Override
  public Plan plan() {
    return new Plan(
        List.of(1, 2),
        List.of(LOAD_BATCH),
        Timing.seconds(1, 2),
        1_000_000,
        512L << 20,
        Promise.OS);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(plan.promise());
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    return type.features().contains(Feature.ORDERED)
        ? Optional.empty()
        : Optional.of("scans, iteration and YCSB-E: has no order; batches are single puts");
  }

  @Override
  public boolean measures(EngineType type) {
    return !(type instanceof TextsType);
  }

  @Override
  public List<Stage> stages() {
    return List.of(OpsTable::run);
  }

  private static void run(TableRun run) {
    warmUpFill(run);
    fill(run, "fill sequential", KeyOrder.SEQUENTIAL).close();
    try (Store store = fill(run, "fill random", KeyOrder.HASHED)) {
      work(run, store);
    }
  }

  /// Fills a small store, so that the two measured fills find compiled code.
  private static void warmUpFill(TableRun run) {
    int size = Math.max(1, run.plan().size() / WARM_UP_SHARE);
    var records = new Records(KeyOrder.HASHED, TableRun.VALUE_BYTES, size);
    try (ScratchDirectory data = run.directory().inner("warm-up");
        Engine engine = run.open(data, run.plan().promise(), records)) {
      Loader.load(engine, records, size, LOAD_BATCH);
    }
  }

  private static Store fill(TableRun run, String caseName, KeyOrder order) {
    Plan plan = run.plan();
    var records = new Records(order, TableRun.VALUE_BYTES, capacity(plan));
    Store store = new Store(run, run.directory().inner("ops"), records);
    long begin = System.nanoTime();
    long nanos = Loader.load(store.engine(), records, plan.size(), LOAD_BATCH);
    run.rows().accept(caseName, 1, Metric.RATE, plan.size() * 1e9 / nanos);
    if (run.type().features().contains(Feature.PERSISTENT)) {
      store.closeEngine();
      long withClose = System.nanoTime() - begin;
      run.rows().accept(caseName + " and close", 1, Metric.RATE, plan.size() * 1e9 / withClose);
      run.rows().accept(caseName, 1, Metric.DISK, store.diskBytes() / MEGABYTE);
      store.reopen();
    }
    return store;
  }

  private static int capacity(Plan plan) {
    double seconds = (plan.timing().warmUpNanos() + plan.timing().measuredNanos()) / 1e9;
    int inserting = plan.threads().stream().mapToInt(Integer::intValue).sum() * 2;
    return plan.size() + (int) (inserting * (1 + seconds) * INSERTS_PER_SECOND_MAX);
  }

  private static void work(TableRun run, Store store) {
    store.engine().settle();
    boolean ordered = run.type().features().contains(Feature.ORDERED);
    try (var watch = new GcWatch()) {
      var cells = new RecordCells(run, store.engine(), store.records(), watch);
      cells.get();
      cells.getTogether();
      if (ordered) {
        cells.scan();
        cells.iterate();
      }
      for (YcsbWorkload workload : YcsbWorkload.inOrderOfDisturbance()) {
        if (ordered || !workload.needsOrder()) {
          cells.ycsb(workload);
        }
      }
      cells.check(ordered);
      run.rows().accept("all cells", 1, Metric.GC_PAUSE, watch.pauseMillisPerSecond());
      run.rows().accept("all cells", 1, Metric.GC_PAUSE_MAX, (double) watch.pauseMillisMax());
    }
    run.rows().accept("all cells", 1, Metric.HEAP, store.heapBytes() / MEGABYTE);
    ProcessUse.nativeBytes()
        .ifPresent(bytes -> run.rows().accept("all cells", 1, Metric.NATIVE, bytes / MEGABYTE));
    if (run.type().features().contains(Feature.PERSISTENT)) {
      store.closeEngine();
      run.rows().accept("all cells", 1, Metric.DISK, store.diskBytes() / MEGABYTE);
    }
  }

  /// A store, its files and what should be in it.
  private static final class Store implements AutoCloseable {
    private final TableRun run;
    private final ScratchDirectory data;
    private final Records records;
    private final long heapBytesBefore;
    private Engine engine;
    private boolean open = true;

    Store(TableRun run, ScratchDirectory data, Records records) {
      this.run = run;
      this.data = data;
      this.records = records;
      heapBytesBefore = ProcessUse.heapBytesAfterCollection();
      engine = run.open(data, run.plan().promise(), records);
    }

    Engine engine() {
      return engine;
    }

    Records records() {
      return records;
    }

    long heapBytes() {
      return ProcessUse.heapBytesAfterCollection() - heapBytesBefore;
    }

    long diskBytes() {
      return ProcessUse.diskBytes(data.path());
    }

    void closeEngine() {
      engine.close();
      open = false;
    }

    void reopen() {
      engine = run.open(data, run.plan().promise(), records);
      open = true;
    }

    @Override
    public void close() {
      if (open) {
        closeEngine();
      }
      data.close();
    }
  }
}
