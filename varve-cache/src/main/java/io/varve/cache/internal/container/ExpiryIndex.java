package io.varve.cache.internal.container;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/// Keys of entries in the order in which they end, in a space of its own: whoever looks for expired
/// entries reads no other.
///
/// An entry that is given another end is put again, and its old place stays until its time: who
/// takes it looks at the entry.
///
/// @param space keys are the end in milliseconds, big-endian, and the key of the entry
record ExpiryIndex(Space space) {
  /// Taken at once, so that an index of any size takes little memory.
  private static final int BATCH = 1000;

  static byte[] key(long endMillis, byte[] storedKey) {
    return ByteBuffer.allocate(Long.BYTES + storedKey.length)
        .putLong(endMillis)
        .put(storedKey)
        .array();
  }

  void add(long endMillis, byte[] storedKey) {
    space.put(key(endMillis, storedKey), new byte[0], Durability.BACKGROUND);
  }

  /// Takes keys out whose end came by a time, a batch of them.
  Iterator<byte[]> takeUntil(long nowMillis) {
    List<byte[]> taken = new ArrayList<>();
    byte[] last = null;
    try (Cursor cursor = space.cursor(Range.lessThan(key(nowMillis + 1, new byte[0])))) {
      while (taken.size() < BATCH && cursor.next()) {
        last = cursor.key();
        taken.add(Arrays.copyOfRange(last, Long.BYTES, last.length));
      }
    }
    if (last != null) {
      space.deleteRange(Range.atMost(last));
    }
    return taken.iterator();
  }
}
