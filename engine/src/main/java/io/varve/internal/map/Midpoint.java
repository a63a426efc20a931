package io.varve.internal.map;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The key half way between two keys, taken as fractions: 0x40 is half way between nothing and
/// 0x80.
final class Midpoint {
  private Midpoint() {}

  /// The middle, to eight bytes after the common prefix.
  ///
  /// @return a key strictly between the two, or null if they are too close, or the wrong way round
  static byte @Nullable [] between(byte[] least, byte[] greatest) {
    int prefixLength = Arrays.mismatch(least, greatest);
    if (prefixLength < 0) {
      return null;
    }
    long low = fraction(least, prefixLength);
    long high = fraction(greatest, prefixLength);
    byte[] middle =
        ByteBuffer.allocate(prefixLength + Long.BYTES)
            .put(least, 0, prefixLength)
            .putLong(low + ((high - low) >>> 1))
            .array();
    boolean isBetween =
        Arrays.compareUnsigned(least, middle) < 0 && Arrays.compareUnsigned(middle, greatest) < 0;
    return isBetween ? middle : null;
  }

  /// Eight bytes of `key` from `offset`, zeros after its end.
  private static long fraction(byte[] key, int offset) {
    return ByteBuffer.wrap(Arrays.copyOfRange(key, offset, offset + Long.BYTES)).getLong();
  }
}
