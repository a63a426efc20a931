package io.varve.query.internal.access;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.ReadView;
import io.varve.Space;
import io.varve.Transaction;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Walks through disjoint ranges of a space, one after the other, or backwards from the last one.
///
/// What a transaction writes after this was made is not found: a cursor of a transaction does not
/// see it, and the cursors of all ranges are opened now. For one thread.
final class RangeCursor implements AutoCloseable {
  private final ReadView view;
  private final Space space;
  private final List<Range> ranges;
  private final boolean isBackward;
  private int opened;
  private @Nullable Cursor cursor;

  /// Those of the ranges that come next, in a transaction.
  private final Deque<Cursor> ready = new ArrayDeque<>();

  /// @param ranges in order
  RangeCursor(ReadView view, Space space, List<Range> ranges, boolean isBackward) {
    this.view = view;
    this.space = space;
    this.ranges = isBackward ? ranges.reversed() : ranges;
    this.isBackward = isBackward;
    if (view instanceof Transaction) {
      openAll();
    }
  }

  private void openAll() {
    boolean isDone = false;
    try {
      for (Range range : ranges) {
        ready.add(view.cursor(space, range));
      }
      isDone = true;
    } finally {
      if (!isDone) {
        close();
      }
    }
  }

  private Cursor open() {
    Range range = ranges.get(opened++);
    Cursor next = ready.poll();
    return next == null ? view.cursor(space, range) : next;
  }

  boolean next() {
    while (true) {
      if (cursor != null) {
        if (isBackward ? cursor.previous() : cursor.next()) {
          return true;
        }
        cursor.close();
        cursor = null;
      }
      if (opened == ranges.size()) {
        return false;
      }
      cursor = open();
      if (isBackward) {
        if (cursor.last()) {
          return true;
        }
        cursor.close();
        cursor = null;
      }
    }
  }

  /// Moves on in the one range to the first key that is not less.
  boolean advanceTo(byte[] key) {
    if (cursor == null && opened < ranges.size()) {
      cursor = open();
    }
    return cursor != null && cursor.seek(key);
  }

  byte[] key() {
    return current().key();
  }

  byte[] value() {
    return current().value();
  }

  private Cursor current() {
    if (cursor == null) {
      throw new IllegalStateException("there is no entry here");
    }
    return cursor;
  }

  @Override
  public void close() {
    opened = ranges.size();
    ready.forEach(Cursor::close);
    ready.clear();
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
  }
}
