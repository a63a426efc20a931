package io.varve.query.internal.access;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Space;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Walks through disjoint ranges of a space, one after the other, or backwards from the last one. A
/// range is read, and counts for the conflicts of a transaction, when the walk comes to it.
///
/// For one thread.
final class RangeCursor implements AutoCloseable {
  private final Reading<?, ?> reading;
  private final Space space;
  private final List<Range> ranges;
  private final boolean isBackward;
  private int opened;
  private @Nullable Cursor cursor;

  /// @param ranges in order
  RangeCursor(Reading<?, ?> reading, Space space, List<Range> ranges, boolean isBackward) {
    this.reading = reading;
    this.space = space;
    this.ranges = isBackward ? ranges.reversed() : ranges;
    this.isBackward = isBackward;
  }

  private Cursor open() {
    return reading.cursor(space, ranges.get(opened++));
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
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
  }
}
