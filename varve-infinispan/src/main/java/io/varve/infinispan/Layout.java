package io.varve.infinispan;

import io.varve.Space;
import org.infinispan.persistence.spi.PersistenceException;
import org.jspecify.annotations.Nullable;

/// How entries are stored in a store, as the space `layout` records it under an empty key.
/// Big-endian.
///
/// | offset | bytes | field    | meaning                             |
/// |-------:|------:|----------|-------------------------------------|
/// |      0 |     1 | version  | 1                                   |
/// |      1 |     4 | segments | that the keys of the cache map to, or 0 while entries are moved |
record Layout(int segments) {
  /// Some entries may be in segments of another number than others.
  static final Layout MOVING = new Layout(0);

  static final String SPACE = "layout";

  private static final byte VERSION = 1;
  private static final int BYTES = 1 + Integer.BYTES;
  private static final byte[] KEY = {};

  /// What a store records, or null if it is new.
  static @Nullable Layout read(Space space) {
    byte[] bytes = space.get(KEY);
    if (bytes == null) {
      return null;
    }
    if (bytes.length != BYTES || bytes[0] != VERSION) {
      throw new PersistenceException(
          "unknown layout of a cache: version="
              + (bytes.length == 0 ? "none" : String.valueOf(bytes[0]))
              + ", known="
              + VERSION
              + "; open it with the version of this module that wrote it");
    }
    return new Layout((int) BigEndian.INT.get(bytes, 1));
  }

  void write(Space space) {
    byte[] bytes = new byte[BYTES];
    bytes[0] = VERSION;
    BigEndian.INT.set(bytes, 1, segments);
    space.put(KEY, bytes);
  }
}
