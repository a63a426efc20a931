package io.varve.query.internal.access;

import org.jspecify.annotations.Nullable;

/// Sorts keys of rows within the memory of a sort. They are numbers as long as all are short and of
/// one length, as keys of numbers and times are. From the first other key on they are bytes.
///
/// For one thread. Close it, or the run that it gives.
final class RowKeySorter implements AutoCloseable {
  private static final byte[] NONE = {};

  private final int numbersMax;
  private final KeySorter sorter;

  /// The keys that are not in the sorter, or null once one was no number.
  private @Nullable NumberKeys numbers;

  RowKeySorter(SortSettings settings, Meter meter) {
    // Half: an array that grows is there twice.
    this.numbersMax = Math.clamp(settings.memoryBytes() / (2 * Long.BYTES), 1, 1 << 28);
    this.sorter = new KeySorter(settings, meter);
    this.numbers = new NumberKeys(numbersMax);
  }

  void add(byte[] key) {
    if (numbers != null && numbers.isFull()) {
      sorter.addSorted(numbers.sorted(), numbers.count());
      numbers = new NumberKeys(numbersMax);
    }
    if (numbers != null && !numbers.add(key)) {
      move(numbers.sorted());
      numbers = null;
    }
    if (numbers == null) {
      sorter.add(key, NONE);
    }
  }

  private void move(SortedRun keys) {
    while (keys.next()) {
      sorter.add(keys.key(), NONE);
    }
  }

  /// All keys in order. It is closed with this; nothing is added after.
  SortedRun sorted() {
    return numbers == null ? sorter.sorted() : sorter.sortedWith(numbers.sorted(), numbers.count());
  }

  @Override
  public void close() {
    sorter.close();
  }
}
