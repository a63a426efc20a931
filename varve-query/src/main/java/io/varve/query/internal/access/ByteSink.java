package io.varve.query.internal.access;

import java.util.Arrays;

/// Bytes that grow at their end. For one thread.
final class ByteSink {
  private byte[] bytes = new byte[32];
  private int length;

  int length() {
    return length;
  }

  ByteSink add(int value) {
    ensure(1);
    bytes[length++] = (byte) value;
    return this;
  }

  ByteSink add(byte[] values) {
    return add(values, 0, values.length);
  }

  ByteSink add(byte[] values, int offset, int count) {
    ensure(count);
    System.arraycopy(values, offset, bytes, length, count);
    length += count;
    return this;
  }

  /// The lowest `count` bytes of a number, the highest of them first.
  ByteSink addBigEndian(long value, int count) {
    for (int shift = (count - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      add((int) (value >>> shift));
    }
    return this;
  }

  /// Reverses the order of what follows an offset: each byte becomes its complement.
  void complementFrom(int offset) {
    for (int i = offset; i < length; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
  }

  /// Drops what follows a length.
  void truncate(int newLength) {
    length = newLength;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  private void ensure(int count) {
    if (bytes.length - length < count) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
    }
  }
}
