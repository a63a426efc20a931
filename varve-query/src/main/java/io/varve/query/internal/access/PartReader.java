package io.varve.query.internal.access;

/// Reads the bytes of index parts, one after the other, as they are or complemented. For one
/// thread.
final class PartReader {
  private final byte[] bytes;
  private int offset;
  private int flip;
  private int cutOffset = -1;

  PartReader(byte[] bytes) {
    this.bytes = bytes;
  }

  int offset() {
    return offset;
  }

  /// Where the rest of the first value that was cut would be, or -1 if all were whole.
  int cutOffset() {
    return cutOffset;
  }

  /// Notes that the value ends here because it was cut.
  void noteCut() {
    if (cutOffset < 0) {
      cutOffset = offset;
    }
  }

  /// Reads complements from here on, or bytes as they are.
  void complement(boolean complement) {
    flip = complement ? 0xff : 0;
  }

  /// Reads complements of what was read until now.
  void toggleComplement() {
    flip ^= 0xff;
  }

  boolean hasNext() {
    return offset < bytes.length;
  }

  int peek() {
    return (bytes[offset] & 0xff) ^ flip;
  }

  int next() {
    return (bytes[offset++] & 0xff) ^ flip;
  }

  void skip(int count) {
    offset += count;
  }

  long nextBigEndian(int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value = value << Byte.SIZE | next();
    }
    return value;
  }
}
