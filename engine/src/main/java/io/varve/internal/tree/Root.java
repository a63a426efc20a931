package io.varve.internal.tree;

import io.varve.internal.page.Node;
import org.jspecify.annotations.Nullable;

/// The root of a tree from `epoch` on, and the roots before it that closed epochs still need.
record Root(Node node, long epoch, @Nullable Root previous) {
  /// The root as of a closed epoch, or null if the tree began later.
  static @Nullable Root at(Root newest, long epoch) {
    Root root = newest;
    while (root != null && root.epoch > epoch) {
      root = root.previous;
    }
    return root;
  }

  /// This chain without the roots that only epochs before `oldestLive` need.
  Root prune(long oldestLive) {
    if (previous == null || epoch <= oldestLive) {
      return previous == null ? this : new Root(node, epoch, null);
    }
    return new Root(node, epoch, previous.prune(oldestLive));
  }
}
