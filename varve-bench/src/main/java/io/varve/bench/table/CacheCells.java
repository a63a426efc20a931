package io.varve.bench.table;

import io.varve.bench.cache.ObjectCache;
import io.varve.bench.load.RecordChooser;
import io.varve.bench.load.Records;
import io.varve.bench.load.Values;
import io.varve.bench.load.WrongAnswerException;
import io.varve.bench.load.YcsbWorkload;
import io.varve.bench.load.YcsbWorkload.Action;
import io.varve.bench.measure.Cell;
import io.varve.bench.measure.Worker;
import io.varve.bench.report.Metric;
import io.varve.bench.report.RowSink;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// The cells of a cache that holds some records.
final class CacheCells {
  /// Reads of which one is checked in full; of the others the length is.
  private static final int READS_PER_CHECK = 16;

  private final String name;
  private final Plan plan;
  private final ObjectCache cache;
  private final String[] keys;
  private final Records records;
  private final RowSink rows;

  /// @param name in front of the names of all cells
  /// @param keys of the records
  CacheCells(
      String name, Plan plan, ObjectCache cache, String[] keys, Records records, RowSink rows) {
    this.name = name;
    this.plan = plan;
    this.cache = cache;
    this.keys = keys;
    this.records = records;
    this.rows = rows;
  }

  /// Puts all records.
  void load() {
    long begin = System.nanoTime();
    for (int record = 0; record < keys.length; record++) {
      cache.put(keys[record], value(record, 0));
    }
    rows.accept(name + " load", 1, Metric.RATE, keys.length * 1e9 / (System.nanoTime() - begin));
    records.loaded(keys.length);
  }

  private byte[] value(long record, long version) {
    byte[] value = new byte[records.valueBytes()];
    Values.fill(value, record, version);
    return value;
  }

  /// Gets and puts of popular records.
  void readMostly() {
    YcsbWorkload workload = YcsbWorkload.B;
    for (int threads : plan.threads()) {
      Worker.Factory workers = index -> new Reader(workload, new SplittableRandom(index));
      double rate = Cell.rate(threads, plan.timing(), Cell.Observer.NONE, workers).rate();
      rows.accept(name + " YCSB-" + workload, threads, Metric.RATE, rate);
    }
  }

  private final class Reader implements Worker {
    private final YcsbWorkload workload;
    private final SplittableRandom random;
    private final RecordChooser chooser;
    private int reads;

    Reader(YcsbWorkload workload, SplittableRandom random) {
      this.workload = workload;
      this.random = random;
      this.chooser = workload.chooser(records, random);
    }

    @Override
    public void step() {
      int record = (int) chooser.next();
      if (workload.nextAction(random) == Action.READ) {
        read(record);
      } else {
        cache.put(keys[record], value(record, records.nextVersion(record)));
      }
    }

    private void read(int record) {
      byte @Nullable [] value = cache.get(keys[record]);
      if (value == null || value.length != records.valueBytes()) {
        throw new WrongAnswerException("a record is missing or cut: record=" + record);
      }
      if (++reads % READS_PER_CHECK == 0) {
        records.check(record, value, value.length);
      }
    }
  }

  /// How long it takes to ask for the number of entries: calls for the time measured.
  void size() {
    long calls = 0;
    long begin = System.nanoTime();
    long nanos = 0;
    while (nanos < plan.timing().measuredNanos()) {
      requireAll(cache.size());
      calls++;
      nanos = System.nanoTime() - begin;
    }
    rows.accept(name + " size", 1, Metric.CALL, nanos / 1e3 / calls);
  }

  /// Full passes for the time measured; the first warms up, unless it takes that long.
  void iterate() {
    long entries = 0;
    long begin = System.nanoTime();
    requireAll(cache.iterate());
    long nanos = System.nanoTime() - begin;
    if (nanos >= plan.timing().measuredNanos()) {
      entries = keys.length;
    } else {
      begin = System.nanoTime();
      nanos = 0;
    }
    while (nanos < plan.timing().measuredNanos()) {
      entries += cache.iterate();
      nanos = System.nanoTime() - begin;
    }
    rows.accept(name + " iterate", 1, Metric.RATE, entries * 1e9 / nanos);
  }

  private void requireAll(long entries) {
    if (entries != keys.length) {
      throw new WrongAnswerException(
          "wrong number of entries: expected=" + keys.length + ", found=" + entries);
    }
  }
}
