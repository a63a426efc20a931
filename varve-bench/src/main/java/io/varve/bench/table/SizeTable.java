package io.varve.bench.table;

import io.varve.bench.engine.Batch;
import io.varve.bench.engine.Engine;
import io.varve.bench.engine.EngineSession;
import io.varve.bench.engine.EngineSettings;
import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Feature;
import io.varve.bench.engine.Promise;
import io.varve.bench.load.DataSet;
import io.varve.bench.load.DataSet.Entry;
import io.varve.bench.load.WrongAnswerException;
import io.varve.bench.measure.ProcessUse;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.measure.Timing;
import io.varve.bench.report.Metric;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// What data of some kinds takes on disk once it is compacted and the store is closed. It also
/// measures the CPU time to write it, and to read it all again, key by key, from a store just
/// opened.
final class SizeTable implements Table {
  private static final int LOAD_BATCH = 1_000;
  private static final double MEGABYTE = 1e6;

  @Override
  public String label() {
    return "size";
  }

  @Override
  public String description() {
    return "bytes on disk and CPU time to write and read, by kind of data and compression";
  }

  @Override
  public List<String> engines() {
    return List.of(
        "varve",
        "varve-deflate",
        "varve-lz4",
        "varve-zstd",
        "varve-zstd-32k",
        "rocksdb",
        "rocksdb-lz4",
        "rocksdb-zstd",
        "mvstore",
        "mvstore-lzf",
        "mvstore-deflate",
        "lmdb",
        "xodus",
        "mapdb");
  }

  /// The size is in megabytes of keys and values.
  @Override
  public Plan plan() {
    return new Plan(List.of(1), List.of(1), Timing.seconds(0, 0), 50, 64L << 20, Promise.FAST);
  }

  @Override
  public List<Promise> promises(Plan plan, EngineType type) {
    return List.of(Promise.FAST);
  }

  @Override
  public Optional<String> leavesOut(EngineType type) {
    return measures(type)
        ? Optional.empty()
        : Optional.of("all: keeps nothing on disk, or values of one length alone");
  }

  @Override
  public boolean measures(EngineType type) {
    return type.features().contains(Feature.PERSISTENT)
        && !type.features().contains(Feature.ONE_VALUE_LENGTH);
  }

  @Override
  public List<Stage> stages() {
    return List.of(SizeTable::run);
  }

  private static void run(TableRun run) {
    for (DataSet set : DataSet.values()) {
      List<Entry> entries = set.entries(run.plan().size() * (long) MEGABYTE);
      if (!entries.isEmpty()) {
        run(run, set.label(), entries);
      }
    }
  }

  private static void run(TableRun run, String name, List<Entry> entries) {
    double bytes = entries.stream().mapToLong(SizeTable::bytes).sum();
    try (ScratchDirectory data = run.directory().inner("size")) {
      EngineSettings settings = settings(run, data, entries);
      long begin = ProcessUse.cpuNanos();
      List<String> spare;
      try (Engine engine = run.type().open(settings)) {
        write(engine, entries);
        engine.compact();
        spare = engine.spareFiles();
      }
      cpu(run, name + " write", begin, bytes);
      double onDisk = ProcessUse.diskBytes(data.path());
      for (String file : spare) {
        onDisk -= ProcessUse.diskBytes(data.path().resolve(file));
      }
      run.rows().accept(name, 1, Metric.DISK_SHARE, onDisk / bytes);
      begin = ProcessUse.cpuNanos();
      try (Engine engine = run.type().open(settings)) {
        read(engine, entries);
      }
      cpu(run, name + " read", begin, bytes);
    }
  }

  private static long bytes(Entry entry) {
    return (long) entry.key().length + entry.value().length;
  }

  private static EngineSettings settings(TableRun run, ScratchDirectory data, List<Entry> entries) {
    long total = entries.stream().mapToLong(SizeTable::bytes).sum();
    return new EngineSettings(
        data.path(),
        Promise.FAST,
        run.plan().cacheBytes(),
        entries.size(),
        Math.toIntExact(total / entries.size()));
  }

  private static void cpu(TableRun run, String name, long begin, double bytes) {
    double millis = (ProcessUse.cpuNanos() - begin) / 1e6;
    run.rows().accept(name, 1, Metric.CPU, millis / (bytes / MEGABYTE));
  }

  private static void write(Engine engine, List<Entry> entries) {
    Batch batch = new Batch();
    try (EngineSession session = engine.session()) {
      for (int from = 0; from < entries.size(); from += LOAD_BATCH) {
        List<Entry> part = entries.subList(from, Math.min(from + LOAD_BATCH, entries.size()));
        batch.clear();
        part.forEach(entry -> batch.put(entry.key(), entry.value()));
        session.commit(batch);
      }
    }
  }

  private static void read(Engine engine, List<Entry> entries) {
    try (EngineSession session = engine.session()) {
      for (Entry entry : entries) {
        boolean found =
            session.get(
                entry.key(),
                (value, length) -> {
                  if (!Arrays.equals(value, 0, length, entry.value(), 0, entry.value().length)) {
                    throw new WrongAnswerException("another value than was put");
                  }
                });
        if (!found) {
          throw new WrongAnswerException("an entry is missing");
        }
      }
    }
  }
}
