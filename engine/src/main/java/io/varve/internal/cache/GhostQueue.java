package io.varve.internal.cache;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/// The extents of pages that were dropped lately, as many as pages are in memory. Not safe for
/// threads.
final class GhostQueue {
  /// Below this many there is nothing to gain by forgetting.
  private static final int SIZE_MIN = 1024;

  private final ArrayDeque<Long> order = new ArrayDeque<>();
  private final Set<Long> members = new HashSet<>();

  void add(long extent, int sizeMax) {
    if (members.add(extent)) {
      order.addLast(extent);
    }
    while (order.size() > Math.max(sizeMax, SIZE_MIN)) {
      members.remove(order.removeFirst());
    }
  }

  boolean contains(long extent) {
    return members.contains(extent);
  }
}
