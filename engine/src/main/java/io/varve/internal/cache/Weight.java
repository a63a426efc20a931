package io.varve.internal.cache;

import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.Node;

/// What nodes weigh in the cache.
final class Weight {
  /// What a node weighs in addition to its page: the node and its place in policy and parent.
  private static final int NODE_BYTES = 96;

  private Weight() {}

  /// The bytes that the node's page takes in memory, 0 if it is not there. Constant while the cache
  /// holds the node, except an inner page that [Inner#compact()] makes smaller.
  static long of(Node node) {
    return switch (node) {
      case Leaf leaf -> {
        byte[] page = leaf.page();
        yield page == null ? 0 : page.length + NODE_BYTES;
      }
      case Inner inner -> {
        Branches branches = inner.branches();
        yield branches == null ? 0 : branches.memoryBytes() + NODE_BYTES;
      }
    };
  }
}
