package io.varve.bench.table;

import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSession;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.bench.load.KeyOrder;
import io.varve.bench.load.Records;
import io.varve.bench.load.Values;
import io.varve.bench.load.WrongAnswerException;
import io.varve.bench.measure.PageCache;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import java.util.List;
import java.util.Optional;

/// Large values: each written by a durable commit of its own, then read back after a reopen, first
/// from the disk and then again. Only the calls of the store are timed, not the making and checking
/// of values.
final class BlobTable implements Table {
  private static final int[] LENGTHS = {10_000, 100_000, 1_000_000, 100_000_000};
  private static final int WHOLE_LENGTH_MAX = 1_000_000;
  private static final int COUNT_MIN = 3;
  private static final double MEGABYTE = 1e6;

  @Override
  public String label() {
    return "blob";
  }

  @Override
  public String description() {
    return "values of 10 KB to 100 MB: durable put, get from the disk, get again";
  }

  @Override
  public List<String> engines() {
    return List.of("varve", "rocksdb", "rocksdb-blob", "lmdb", "mvstore");
  }

  @Override
  public Plan plan() {
    return new Plan(List.of(1), List.of(1), Timing.seconds(0, 0), 500, 64L << 20, Promise.DISK);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(Promise.DISK);
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    if (!measures(type)) {
      return Optional.of("all: has no commit that is forced to the disk");
    }
    return type.features().contains(Feature.LARGE_VALUES)
        ? Optional.empty()
        : Optional.of("values above 1 MB: takes none");
  }

  @Override
  public boolean measures(EngineType type) {
    return type.features().contains(Feature.COMMIT_TO_DISK);
  }

  @Override
  public List<Stage> stages() {
    return List.of(BlobTable::run);
  }

  private static void run(TableRun run) {
    for (int length : LENGTHS) {
      boolean takes =
          length <= WHOLE_LENGTH_MAX || run.type().features().contains(Feature.LARGE_VALUES);
      if (takes && length <= run.plan().size() * MEGABYTE) {
        run(run, length);
      }
    }
  }

  private static void run(TableRun run, int length) {
    int count = Math.max(COUNT_MIN, (int) (run.plan().size() * MEGABYTE / length));
    var records = new Records(KeyOrder.HASHED, length, count);
    String name = length >= MEGABYTE ? length / 1_000_000 + " MB" : length / 1_000 + " KB";
    try (ScratchDirectory data = run.directory().inner("blob")) {
      try (Engine engine = run.open(data, Promise.DISK, records)) {
        row(run, "put " + name, count, length, put(engine, records, count));
      }
      boolean cold = PageCache.drop();
      try (Engine engine = run.open(data, Promise.DISK, records)) {
        long first = get(engine, records);
        if (cold) {
          row(run, "get from disk " + name, count, length, first);
        }
        row(run, "get again " + name, count, length, get(engine, records));
      }
    }
  }

  private static void row(TableRun run, String caseName, int count, int length, long nanos) {
    double bytes = (double) count * length;
    run.rows().accept(caseName, 1, Metric.THROUGHPUT, bytes / MEGABYTE / (nanos / 1e9));
  }

  private static long put(Engine engine, Records records, int count) {
    byte[] key = new byte[EngineSettings.KEY_BYTES];
    byte[] value = new byte[records.valueBytes()];
    long nanos = 0;
    try (EngineSession session = engine.session()) {
      for (int record = 0; record < count; record++) {
        records.key(record, key);
        Values.fill(value, record, 0);
        long begin = System.nanoTime();
        session.put(key, value);
        nanos += System.nanoTime() - begin;
      }
    }
    records.loaded(count);
    return nanos;
  }

  private static long get(Engine engine, Records records) {
    byte[] key = new byte[EngineSettings.KEY_BYTES];
    long nanos = 0;
    try (EngineSession session = engine.session()) {
      for (long record = 0; record < records.present(); record++) {
        records.key(record, key);
        var answer = new TimedAnswer(records, record);
        long begin = System.nanoTime();
        if (!session.get(key, answer)) {
          throw new WrongAnswerException("a record is missing: record=" + record);
        }
        nanos += answer.nanosSince(begin);
      }
    }
    return nanos;
  }

  /// Notes the time of an answer before it checks it.
  private static final class TimedAnswer implements EngineSession.ValueSink {
    private final Records records;
    private final long record;
    private long answeredNanos;

    TimedAnswer(Records records, long record) {
      this.records = records;
      this.record = record;
    }

    @Override
    public void value(byte[] value, int length) {
      answeredNanos = System.nanoTime();
      records.checkNewest(record, value, length);
    }

    long nanosSince(long begin) {
      return answeredNanos - begin;
    }
  }
}
