package io.varve.internal.index;

import java.util.Arrays;

/// An index entry that a build has read from the indexed space. In order of its bytes, since no
/// prefix is the beginning of another one.
///
/// @param bytes the prefix, and then the key of the indexed space
/// @param prefixBytes how many of these are the prefix
record GatheredEntry(byte[] bytes, int prefixBytes) {
  private static final byte[] NOTHING = {};

  /// Its key in the space with the entries of the index.
  byte[] indexKey(boolean isUnique) {
    return isUnique ? Arrays.copyOf(bytes, prefixBytes) : bytes;
  }

  /// Its value there.
  byte[] indexValue(boolean isUnique) {
    return isUnique ? key() : NOTHING;
  }

  /// The key of the indexed space.
  byte[] key() {
    return Arrays.copyOfRange(bytes, prefixBytes, bytes.length);
  }

  boolean hasPrefixOf(GatheredEntry other) {
    return Arrays.equals(bytes, 0, prefixBytes, other.bytes, 0, other.prefixBytes);
  }
}
