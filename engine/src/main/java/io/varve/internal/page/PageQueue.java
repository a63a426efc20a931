package io.varve.internal.page;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Nodes in the order in which they came, with the bytes of their pages. A node taken out of the
/// middle leaves its place behind, which is passed over, and swept out when there are many.
///
/// Guarded by the lock of the cache, as is [Node#place].
///
/// @param <N> the kind of nodes
final class PageQueue<N extends Node> {
  /// Fewer places left behind are not worth a sweep.
  private static final int SWEEP_MIN = 1024;

  private final ArrayDeque<N> places = new ArrayDeque<>();
  private long bytes;
  private int leftBehind;

  /// The bytes of the pages of all nodes.
  long bytes() {
    return bytes;
  }

  int size() {
    return places.size() - leftBehind;
  }

  /// Adds a node that is in no queue.
  void add(N node) {
    node.place = this;
    places.addLast(node);
    bytes += PageCache.weight(node);
  }

  /// Takes the node that came first, or null if there is none.
  @Nullable N poll() {
    N node;
    while ((node = places.pollFirst()) != null) {
      if (node.place == this) {
        node.place = null;
        bytes -= PageCache.weight(node);
        return node;
      }
      leftBehind = Math.max(0, leftBehind - 1);
    }
    leftBehind = 0;
    return null;
  }

  /// Takes a node out that is in this queue.
  void remove(N node) {
    node.place = null;
    bytes -= PageCache.weight(node);
    leftBehind++;
    if (leftBehind > SWEEP_MIN && leftBehind > places.size() / 2) {
      places.removeIf(place -> place.place != this);
      leftBehind = 0;
    }
  }
}
