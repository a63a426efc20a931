package io.varve.internal.map;

import io.varve.Cursor;
import java.util.Comparator;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Traverses a slice of a space, and splits it by key for parallel streams: at the key half way
/// between the least and the greatest, as if keys were evenly spread. Where they are not, halves
/// differ in size, and the larger is split again.
///
/// @param <T> what the spliterator shows of an entry
final class ScanSpliterator<T> implements Spliterator<T> {
  /// Fewer entries are not worth the two descents that a split takes: about two leaves.
  private static final long SPLIT_COUNT_MIN = 256;

  private static final long UNKNOWN = -1;

  private final EntryStore store;
  private final Reading<T> reading;
  private final int characteristics;
  private final @Nullable Comparator<? super T> order;
  private Slice slice; // what was left when the scan was begun
  private @Nullable Scan scan; // begun by the first advance after construction or split
  private byte @Nullable [] lastKey; // that the scan has passed
  private long estimate;

  /// Makes a spliterator over `slice`.
  ///
  /// @param order null for the natural order; has no meaning unless `characteristics` have `SORTED`
  ScanSpliterator(
      EntryStore store,
      Slice slice,
      Reading<T> reading,
      int characteristics,
      @Nullable Comparator<? super T> order) {
    this(store, slice, reading, characteristics, order, UNKNOWN);
  }

  private ScanSpliterator(
      EntryStore store,
      Slice slice,
      Reading<T> reading,
      int characteristics,
      @Nullable Comparator<? super T> order,
      long estimate) {
    this.store = store;
    this.slice = slice;
    this.reading = reading;
    this.characteristics = characteristics;
    this.order = order;
    this.estimate = estimate;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    if (scan == null) {
      scan = new Scan(store, slice);
    }
    if (!scan.advance()) {
      return false;
    }
    byte[] key = scan.key();
    lastKey = key;
    action.accept(scan.read(key, reading));
    return true;
  }

  @Override
  public @Nullable Spliterator<T> trySplit() {
    if (!store.isShared() || estimateSize() < SPLIT_COUNT_MIN) {
      return null;
    }
    Slice rest = lastKey == null ? slice : slice.from(lastKey, false);
    byte[] middle = middle(rest);
    if (middle == null) {
      return null;
    }
    long half = estimate >>> 1;
    var prefix =
        new ScanSpliterator<>(store, rest.to(middle, false), reading, characteristics, order, half);
    slice = rest.from(middle, true);
    scan = null;
    lastKey = null;
    estimate -= half;
    return prefix;
  }

  private byte @Nullable [] middle(Slice rest) {
    try (Cursor cursor = store.cursor(rest.range())) {
      if (!cursor.first()) {
        return null;
      }
      byte[] least = cursor.key();
      return cursor.last() ? Midpoint.between(least, cursor.key()) : null;
    }
  }

  /// Counts when first asked; later it guesses that splits were even.
  @Override
  public long estimateSize() {
    if (estimate == UNKNOWN) {
      estimate = store.count(slice.range());
    }
    return estimate;
  }

  @Override
  public int characteristics() {
    return characteristics;
  }

  @Override
  public @Nullable Comparator<? super T> getComparator() {
    if (!hasCharacteristics(SORTED)) {
      throw new IllegalStateException("the spliterator is not sorted");
    }
    return order;
  }
}
