package io.varve.internal.cache;

import java.util.LinkedHashSet;

/// The extents of pages that were dropped lately, as many as pages are in memory. Not safe for
/// threads.
final class GhostQueue {
  /// Below this many there is nothing to gain by forgetting.
  private static final int SIZE_MIN = 1024;

  /// One collection for order and members: where memory is lacking, two would differ from then on.
  private final LinkedHashSet<Long> members = new LinkedHashSet<>();

  /// Adds an extent as the newest, unless it is here.
  void add(long extent, int sizeMax) {
    members.add(extent);
    while (members.size() > Math.max(sizeMax, SIZE_MIN)) {
      members.removeFirst();
    }
  }

  boolean contains(long extent) {
    return members.contains(extent);
  }
}
