package io.varve.internal.item;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prefixes under which everything older is gone. Immutable; in order, and none starts with
/// another. So at most one can start a key, and it is the greatest that is not above the key.
final class Prefixes {
  static final Prefixes NONE = new Prefixes(List.of());

  private final List<byte[]> inOrder;

  private Prefixes(List<byte[]> inOrder) {
    this.inOrder = inOrder;
  }

  List<byte[]> all() {
    return inOrder;
  }

  boolean isEmpty() {
    return inOrder.isEmpty();
  }

  /// The prefix that `key` up to `length` starts with, or null.
  byte @Nullable [] of(byte[] key, int length) {
    int low = 0;
    int high = inOrder.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      byte[] prefix = inOrder.get(middle);
      if (Arrays.compareUnsigned(prefix, 0, prefix.length, key, 0, length) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) {
      return null;
    }
    byte[] floor = inOrder.get(low - 1);
    return ItemBytes.startsWith(key, length, floor) ? floor : null;
  }

  /// These and one more.
  Prefixes with(byte[] prefix) {
    if (of(prefix, prefix.length) != null) {
      return this;
    }
    List<byte[]> more = new ArrayList<>(inOrder.size() + 1);
    for (byte[] present : inOrder) {
      if (!ItemBytes.startsWith(present, present.length, prefix)) {
        more.add(present);
      }
    }
    more.add(prefix);
    more.sort(Arrays::compareUnsigned);
    return new Prefixes(more);
  }
}
