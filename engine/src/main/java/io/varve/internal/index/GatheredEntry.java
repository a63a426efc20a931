package io.varve.internal.index;

import io.varve.internal.txn.Indexing;
import java.util.Arrays;

/// An index entry that a build has read from the indexed space, as the space with the entries of
/// the index has it.
final class GatheredEntry {
  private static final byte[] NOTHING = {};

  private final byte[] key;
  private final byte[] value;
  private final int prefixBytes;

  /// Copies an entry out of a block.
  ///
  /// @param from where the bytes of the entry begin
  /// @param to where they end
  GatheredEntry(byte[] block, int from, int to, int prefixBytes, boolean isUnique) {
    int keyEnd = isUnique ? from + prefixBytes : to;
    this.key = Arrays.copyOfRange(block, from, keyEnd);
    this.value = isUnique ? Arrays.copyOfRange(block, keyEnd, to) : NOTHING;
    this.prefixBytes = prefixBytes;
  }

  /// The prefix; and then the key of the indexed space, unless the index is unique.
  byte[] key() {
    return key;
  }

  /// Nothing; or the key of the indexed space if the index is unique.
  byte[] value() {
    return value;
  }

  /// The prefix, and then the key of the indexed space.
  byte[] bytes() {
    return value.length == 0 ? key : Indexing.entry(key, value);
  }

  /// The key of the indexed space.
  byte[] indexedKey() {
    return value.length == 0 ? Arrays.copyOfRange(key, prefixBytes, key.length) : value;
  }

  int length() {
    return key.length + value.length;
  }

  boolean hasPrefixOf(GatheredEntry other) {
    return Arrays.equals(key, 0, prefixBytes, other.key, 0, other.prefixBytes);
  }
}
