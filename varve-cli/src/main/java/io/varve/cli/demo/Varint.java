package io.varve.cli.demo;

import java.util.Arrays;

/// A count in as few bytes as it takes: seven bits a byte, low bits first, the high bit set on all
/// bytes but the last (LEB128).
final class Varint {
  private static final int BYTES_MAX = 9;

  private Varint() {}

  static byte[] encode(long value) {
    var bytes = new byte[BYTES_MAX];
    int length = 0;
    long rest = value;
    while (rest >= 0x80) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
    return Arrays.copyOf(bytes, length);
  }

  /// The count that the first `length` bytes hold.
  ///
  /// @throws IllegalArgumentException if the bytes are no count
  static long decode(byte[] bytes, int length) {
    long value = 0;
    for (int i = 0; i < length && i < BYTES_MAX; i++) {
      value |= (long) (bytes[i] & 0x7f) << (7 * i);
      if (bytes[i] >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("not a count: length=" + length);
  }
}
