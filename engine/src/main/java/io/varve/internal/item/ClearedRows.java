package io.varve.internal.item;

import io.varve.Cursor;
import io.varve.Range;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The prefixes that a layer clears, read from its rows: their number has no bound. For one thread
/// at a time.
///
/// None of them starts with another (L2 of `Layer`). So at most one can start a key, and it is the
/// greatest that is not above the key.
final class ClearedRows {
  private static final byte[] MARKER = {(byte) 0xff};

  /// Where the rows are in a layer: each is this byte, and then a prefix.
  static final Range RANGE = Range.atLeast(MARKER);

  private static final byte[] NOT_READ = {};

  private final Cursor rows;

  /// Two neighbours among the prefixes, between which the last key was; null for none.
  private byte @Nullable [] floor;

  private byte @Nullable [] higher = NOT_READ;

  /// @param rows over [#RANGE]
  ClearedRows(Cursor rows) {
    this.rows = rows;
  }

  /// The row of a prefix.
  static byte[] row(byte[] prefix) {
    return ItemKeys.join(MARKER, prefix);
  }

  /// The prefix whose row a cursor is on.
  static byte[] prefix(Cursor row) {
    byte[] key = row.key();
    return Arrays.copyOfRange(key, MARKER.length, key.length);
  }

  /// The prefix that `key` up to `length` starts with, or null.
  byte @Nullable [] of(byte[] key, int length) {
    if (isBelow(key, length, floor) || (higher != null && !isBelow(key, length, higher))) {
      floor = rows.seekFloor(row(Arrays.copyOf(key, length))) ? prefix(rows) : null;
      higher = rows.next() ? prefix(rows) : null;
    }
    byte[] prefix = floor;
    return prefix != null && ItemBytes.startsWith(key, length, prefix) ? prefix : null;
  }

  private static boolean isBelow(byte[] key, int length, byte @Nullable [] bound) {
    return bound != null && Arrays.compareUnsigned(key, 0, length, bound, 0, bound.length) < 0;
  }
}
