package io.varve.query.internal.access;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Sorts pairs by their keys, unsigned, within a budget of memory: what is more goes to temporary
/// files, in sorted runs that are merged when they are read.
///
/// For one thread. Close it, or the run that it gives.
final class KeySorter implements AutoCloseable {
  /// Runs that are read at the same time. Each takes a buffer and a file handle.
  private static final int FAN_IN_MAX = 32;

  /// About what two arrays and a pair take in memory on top of their bytes.
  private static final int PAIR_OVERHEAD_BYTES = 72;

  private final SortSettings settings;
  private final Meter meter;
  private final List<RunFile> files = new ArrayList<>();
  private List<Pair> pairs = new ArrayList<>();
  private long pairBytes;

  KeySorter(SortSettings settings, Meter meter) {
    this.settings = settings;
    this.meter = meter;
  }

  /// Takes a pair, whose arrays are kept.
  void add(byte[] key, byte[] payload) {
    pairs.add(new Pair(key, payload));
    pairBytes += key.length + payload.length + PAIR_OVERHEAD_BYTES;
    meter.sorted++;
    if (pairBytes > settings.memoryBytes()) {
      spill();
    }
  }

  private void spill() {
    if (files.size() == FAN_IN_MAX) {
      List<RunFile> merged = List.copyOf(files);
      files.clear();
      files.add(spilled(RunFile.write(new MergedRuns(merged), settings.directory())));
    }
    files.add(spilled(RunFile.write(memoryRun(), settings.directory())));
  }

  private RunFile spilled(RunFile file) {
    meter.spilledBytes += file.bytes();
    return file;
  }

  private MemoryRun memoryRun() {
    List<Pair> run = pairs;
    pairs = new ArrayList<>();
    pairBytes = 0;
    run.sort(Comparator.comparing(Pair::key, Arrays::compareUnsigned));
    return new MemoryRun(run);
  }

  /// All pairs in order. It is closed with this; nothing is added after.
  SortedRun sorted() {
    MemoryRun inMemory = memoryRun();
    if (files.isEmpty()) {
      return inMemory;
    }
    List<SortedRun> runs = new ArrayList<>(files);
    runs.add(inMemory);
    return new MergedRuns(runs);
  }

  @Override
  public void close() {
    pairs = new ArrayList<>();
    new MergedRuns(files).close();
  }

  private record Pair(byte[] key, byte[] payload) {}

  private static final class MemoryRun implements SortedRun {
    private final List<Pair> pairs;
    private int index = -1;

    MemoryRun(List<Pair> pairs) {
      this.pairs = pairs;
    }

    @Override
    public boolean next() {
      return ++index < pairs.size();
    }

    @Override
    public byte[] key() {
      return pairs.get(index).key();
    }

    @Override
    public byte[] payload() {
      return pairs.get(index).payload();
    }

    @Override
    public void close() {
      index = pairs.size();
    }
  }
}
