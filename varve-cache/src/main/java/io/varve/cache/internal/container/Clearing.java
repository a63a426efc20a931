package io.varve.cache.internal.container;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import org.jspecify.annotations.Nullable;

/// Removes many entries of a space, which may be more than the heap holds.
final class Clearing {
  /// What one commit removes: its keys and leaves are on the heap until then.
  private static final int COUNT_MAX = 20_000;

  private static final int BYTES_MAX = 4 << 20;

  private Clearing() {}

  /// Removes what a space has in a range, in commits of a bounded size. The last one is as durable
  /// as the store promises, and so are those before it.
  static void clear(Space space, Range range) {
    Range rest = range;
    for (byte[] next = afterFirst(space, rest); next != null; next = afterFirst(space, rest)) {
      space.with(Durability.BACKGROUND).deleteRange(rest.intersect(Range.lessThan(next)));
      rest = rest.intersect(Range.atLeast(next));
    }
    space.deleteRange(rest);
  }

  /// The key after those that one commit removes; null if it removes all.
  private static byte @Nullable [] afterFirst(Space space, Range range) {
    long leafBytesMax = space.store().options().pageBytes();
    long bytes = 0;
    try (Cursor cursor = space.cursor(range)) {
      for (int count = 0; cursor.next(); count++) {
        if (count == COUNT_MAX || bytes >= BYTES_MAX) {
          return cursor.key();
        }
        bytes += cursor.key().length + Math.min(cursor.valueLength(), leafBytesMax);
      }
    }
    return null;
  }
}
