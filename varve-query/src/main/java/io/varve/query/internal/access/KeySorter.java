package io.varve.query.internal.access;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Sorts pairs by their keys, unsigned, within a budget of memory: what is more goes to temporary
/// files, in sorted runs that are merged when they are read.
///
/// - (SORT-1) Files of one level alone are merged, when there are as many as are read at a time, to
///   one of the next level. So a pair is written once for each level, and levels are few: 32 files
///   of a level are of one, 1,024 of two.
/// - (SORT-2) Each file is in a level until it is deleted, so that a close deletes all, however the
///   sort ended.
///
/// For one thread. Close it, or the run that it gives.
final class KeySorter implements AutoCloseable {
  /// Runs that are read at the same time. Each takes a buffer then, and a file handle from its
  /// making on: a sort has fewer than three times as many.
  private static final int FAN_IN_MAX = 32;

  /// About what two arrays and a pair take in memory on top of their bytes.
  private static final int PAIR_OVERHEAD_BYTES = 72;

  private final SortSettings settings;
  private final Meter meter;

  /// Files by how often their pairs were merged. A level has fewer than [#FAN_IN_MAX] of them when
  /// nothing is being merged.
  private final List<List<RunFile>> levels = new ArrayList<>();

  private List<Pair> pairs = new ArrayList<>();

  private long pairBytes;

  /// What the caller takes of the memory.
  private long sharedBytes;

  KeySorter(SortSettings settings, Meter meter) {
    this.settings = settings;
    this.meter = meter;
  }

  /// Takes a pair, whose arrays are kept.
  void add(byte[] key, byte[] payload) {
    hold(key, payload);
    if (isFull()) {
      spill();
    }
  }

  /// Takes a pair, and writes no file for it: [#isFull()] shows that one has to be written.
  void hold(byte[] key, byte[] payload) {
    pairs.add(new Pair(key, payload));
    pairBytes += key.length + payload.length + PAIR_OVERHEAD_BYTES;
    meter.sorted++;
  }

  /// States how much of the memory the caller takes from now on.
  void share(long bytes) {
    sharedBytes = bytes;
  }

  /// Whether the pairs in memory take more than a sort may.
  boolean isFull() {
    return pairBytes + sharedBytes > settings.memoryBytes();
  }

  /// Puts the pairs in memory into a temporary file. Where none can be written they stay there.
  void spill() {
    List<Pair> held = pairs;
    long bytes = pairBytes;
    MemoryRun run = memoryRun();
    try {
      write(run);
    } catch (RuntimeException e) {
      pairs = held;
      pairBytes = bytes;
      throw e;
    }
    mergeFullLevels();
  }

  /// Takes pairs that are in order already, and puts them into a temporary file.
  ///
  /// @param count how many they are
  void addSorted(SortedRun run, int count) {
    write(run);
    meter.sorted += count;
    mergeFullLevels();
  }

  private void write(SortedRun run) {
    add(0, RunFile.write(run, settings.directory()));
  }

  private void mergeFullLevels() {
    for (int level = 0; levels.get(level).size() == FAN_IN_MAX; level++) {
      merge(level);
    }
  }

  /// Whether one more file may be written without merging any.
  boolean takesFile() {
    return files().size() < FAN_IN_MAX - 1;
  }

  private void add(int level, RunFile file) {
    meter.spilledBytes += file.bytes();
    if (levels.size() == level) {
      levels.add(new ArrayList<>());
    }
    levels.get(level).add(file);
  }

  /// Merges the files of a level into one of the next, and deletes them.
  private void merge(int level) {
    List<RunFile> files = levels.get(level);
    add(level + 1, RunFile.write(new MergedRuns(files), settings.directory()));
    files.clear(); // not before: a merge that fails leaves them to be closed (SORT-2)
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
    mergeFiles();
    return withFiles(memoryRun());
  }

  /// All pairs in order, with some that are in order already: as [#sorted()].
  ///
  /// @param count how many these are
  SortedRun sortedWith(SortedRun run, int count) {
    meter.sorted += count;
    mergeFiles();
    return withFiles(pairs.isEmpty() ? run : new MergedRuns(List.of(run, memoryRun())));
  }

  private void mergeFiles() {
    for (int level = 0; files().size() > FAN_IN_MAX; level++) {
      merge(level);
    }
  }

  private SortedRun withFiles(SortedRun inMemory) {
    List<SortedRun> runs = new ArrayList<>(files());
    if (runs.isEmpty()) {
      return inMemory;
    }
    runs.add(inMemory);
    return new MergedRuns(runs);
  }

  private List<RunFile> files() {
    return levels.stream().flatMap(List::stream).toList();
  }

  @Override
  public void close() {
    pairs = new ArrayList<>();
    new MergedRuns(files()).close();
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
