package io.varve.internal.item;

import java.util.Arrays;

/// Where the key of an item is: after a prefix that all items of a map have.
///
/// @param prefix of the items
/// @param components how many of those after the prefix are the key
record ItemKeys(byte[] prefix, int components) {
  ItemKeys {
    if (components < 1) {
      throw new IllegalArgumentException(
          "keys must have a fixed number of components, at least 1: components=" + components);
    }
  }

  /// The item that is the prefix and a key.
  byte[] itemOf(byte[] key) {
    return join(prefix, key);
  }

  static byte[] join(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  /// Where the key of an item ends.
  int end(byte[] item, int length) {
    int end = prefix.length;
    for (int i = 0; i < components; i++) {
      end = ItemBytes.skip(item, end, length);
    }
    return end;
  }
}
