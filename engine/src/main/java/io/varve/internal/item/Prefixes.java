package io.varve.internal.item;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prefixes under which everything older is gone. Immutable; in order, and none starts with
/// another. So at most one can start a key, and it is the greatest that is not above the key.
final class Prefixes {
  static final Prefixes NONE = new Prefixes(List.of(), 0);

  /// What one takes on the heap apart from its bytes: the array's header, and the reference to it.
  private static final int OVERHEAD_BYTES = 24;

  private final List<byte[]> inOrder;
  private final long bytes;

  private Prefixes(List<byte[]> inOrder, long bytes) {
    this.inOrder = inOrder;
    this.bytes = bytes;
  }

  List<byte[]> all() {
    return inOrder;
  }

  boolean isEmpty() {
    return inOrder.isEmpty();
  }

  /// About the bytes that these take on the heap.
  long bytes() {
    return bytes;
  }

  /// The prefix that `key` up to `length` starts with, or null.
  byte @Nullable [] of(byte[] key, int length) {
    int after = countAtMost(key, length);
    if (after == 0) {
      return null;
    }
    byte[] floor = inOrder.get(after - 1);
    return ItemBytes.startsWith(key, length, floor) ? floor : null;
  }

  /// How many of these are not above `key` up to `length`.
  private int countAtMost(byte[] key, int length) {
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
    return low;
  }

  /// These and one more.
  Prefixes with(byte[] prefix) {
    if (of(prefix, prefix.length) != null) {
      return this;
    }
    int from = countAtMost(prefix, prefix.length);
    int to = from;
    long bytesLeft = bytes;
    while (to < inOrder.size()
        && ItemBytes.startsWith(inOrder.get(to), inOrder.get(to).length, prefix)) {
      bytesLeft -= bytes(inOrder.get(to++));
    }
    List<byte[]> more = new ArrayList<>(inOrder.size() + 1);
    more.addAll(inOrder.subList(0, from));
    more.add(prefix);
    more.addAll(inOrder.subList(to, inOrder.size()));
    return new Prefixes(more, bytesLeft + bytes(prefix));
  }

  private static int bytes(byte[] prefix) {
    return prefix.length + OVERHEAD_BYTES;
  }
}
