package io.varve.query.internal.access;

import java.io.UncheckedIOException;

/// Sorts keys of rows within the memory of a sort. They are numbers as long as all are short and of
/// one length, as keys of numbers and times are. From the first other key on they are bytes.
///
/// For one thread. Close it, or the run that it gives.
final class RowKeySorter implements AutoCloseable {
  private static final byte[] NONE = {};

  /// So few numbers are bytes too, once a key is none: a merge would take longer.
  private static final int MOVED_MAX = 64;

  private final int numbersMax;
  private final KeySorter sorter;
  private NumberKeys numbers;

  /// Whether a key was no number: later ones are in the sorter.
  private boolean isMixed;

  RowKeySorter(SortSettings settings, Meter meter) {
    // Half: an array that grows is there twice.
    this.numbersMax = Math.clamp(settings.memoryBytes() / (2 * Long.BYTES), 1, 1 << 28);
    this.sorter = new KeySorter(settings, meter);
    this.numbers = new NumberKeys(numbersMax);
  }

  /// Takes a key. Where memory is full a file is written before.
  void add(byte[] key) {
    if (isFull()) {
      spill();
    }
    if (!isMixed && !numbers.add(key)) {
      mix();
    }
    if (isMixed) {
      sorter.hold(key, NONE);
    }
  }

  private void mix() {
    isMixed = true;
    if (numbers.count() > MOVED_MAX) {
      sorter.share((long) numbers.count() * Long.BYTES);
      return;
    }
    SortedRun moved = numbers.sorted();
    while (moved.next()) {
      sorter.hold(moved.key(), NONE);
    }
    numbers = new NumberKeys(numbersMax);
  }

  private boolean isFull() {
    return isMixed ? sorter.isFull() : numbers.isFull();
  }

  private void spill() {
    if (isMixed) {
      sorter.spill();
      return;
    }
    sorter.addSorted(numbers.sorted(), numbers.count());
    numbers = new NumberKeys(numbersMax);
  }

  /// Whether one more key can be taken without a merge of files. Where memory is full a file is
  /// written first. If that fails, as on a disk that is full, what was taken stays in memory.
  boolean hasCapacity() {
    if (!isFull()) {
      return true;
    }
    if (!sorter.takesFile()) {
      return false;
    }
    try {
      spill();
      return true;
    } catch (UncheckedIOException _) {
      return false;
    }
  }

  /// Whether a key was no number, so that their order takes comparisons of bytes.
  boolean isMixed() {
    return isMixed;
  }

  /// All keys in order. It is closed with this; nothing is added after.
  SortedRun sorted() {
    return numbers.count() == 0
        ? sorter.sorted()
        : sorter.sortedWith(numbers.sorted(), numbers.count());
  }

  @Override
  public void close() {
    sorter.close();
  }
}
