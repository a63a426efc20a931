package io.varve.internal.txn;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.internal.page.Node;
import io.varve.internal.tree.RangeCut;
import io.varve.internal.tree.RangeCut.Cut;
import java.util.Arrays;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The entries of a range of a snapshot in key order, cut for parallel streams where inner pages
/// are separated ([RangeCut]). It holds a position in one leaf, whatever the size of the range.
///
/// @param <T> what is made of each entry
final class EntrySpliterator<T> implements Spliterator<T> {
  private static final long UNKNOWN = -1;

  private final HeldEpoch held;
  private final SpaceCore space;
  private final Function<? super Cursor, ? extends T> reading;
  private final int characteristics;
  private byte[] from;
  private final byte @Nullable [] to;

  /// Begun by the first advance after construction or split; then `from` is past.
  private @Nullable EntryCursor cursor;

  private boolean ended;
  private long estimate;

  /// Makes a spliterator over a range.
  ///
  /// @param added characteristics that `reading` gives to the elements
  EntrySpliterator(
      HeldEpoch held,
      SpaceCore space,
      Range range,
      Function<? super Cursor, ? extends T> reading,
      int added) {
    this(held, space, range.from(), range.to(), reading, ORDERED | NONNULL | IMMUTABLE | added);
    ended = range.isEmpty();
  }

  private EntrySpliterator(
      HeldEpoch held,
      SpaceCore space,
      byte[] from,
      byte @Nullable [] to,
      Function<? super Cursor, ? extends T> reading,
      int characteristics) {
    this.held = held;
    this.space = space;
    this.from = from;
    this.to = to;
    this.reading = Objects.requireNonNull(reading, "reading");
    this.characteristics = characteristics;
    this.estimate = UNKNOWN;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    Objects.requireNonNull(action, "action");
    Cursor moved = move();
    if (moved == null) {
      return false;
    }
    action.accept(reading.apply(moved));
    return true;
  }

  @Override
  public void forEachRemaining(Consumer<? super T> action) {
    Objects.requireNonNull(action, "action");
    for (Cursor moved = move(); moved != null; moved = move()) {
      action.accept(reading.apply(moved));
    }
  }

  /// The cursor on the next entry; null if there is none.
  private @Nullable Cursor move() {
    if (ended) {
      return null;
    }
    EntryCursor moved = cursor;
    if (moved == null) {
      moved = held.cursor(space, to == null ? Range.atLeast(from) : Range.of(from, to));
      cursor = moved;
    }
    if (moved.next()) {
      estimate = estimate > 0 ? estimate - 1 : estimate;
      return moved;
    }
    end();
    return null;
  }

  private void end() {
    ended = true;
    cursor = null;
    estimate = 0;
  }

  @Override
  public @Nullable Spliterator<T> trySplit() {
    if (ended) {
      return null;
    }
    byte[] start = cursor == null ? from : successor(cursor.key());
    if (to != null && Arrays.compareUnsigned(start, to) >= 0) {
      return null; // the cursor is on the last key that can be
    }
    Cut cut = held.inTree(space, root -> cutOf(root, start).middle());
    if (cut == null) {
      return null;
    }
    EntrySpliterator<T> prefix =
        new EntrySpliterator<>(held, space, start, cut.separator(), reading, characteristics);
    cursor = null;
    prefix.estimate = cut.below();
    from = cut.separator();
    estimate = cut.above();
    return prefix;
  }

  private static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  private RangeCut cutOf(Node root, byte[] start) {
    return new RangeCut(space.tree().pages(), root, start, to);
  }

  /// Of inner pages, when first asked; from then on what has been passed is taken away.
  @Override
  public long estimateSize() {
    if (estimate == UNKNOWN) {
      estimate = ended ? 0 : held.inTree(space, root -> cutOf(root, from).entries());
    }
    return estimate;
  }

  @Override
  public int characteristics() {
    return characteristics;
  }
}
