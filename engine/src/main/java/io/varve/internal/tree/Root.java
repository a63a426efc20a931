package io.varve.internal.tree;

import io.varve.internal.file.LiveEpochs;
import io.varve.internal.page.Node;
import java.util.ArrayList;
import java.util.List;
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

  /// This chain without the older roots that no live epoch shows: those between two live epochs as
  /// well, which one old snapshot would keep in memory otherwise, one for each epoch since.
  Root prune(LiveEpochs live) {
    List<Root> shown = new ArrayList<>();
    int count = 0;
    long end = epoch;
    for (Root root = previous; root != null; root = root.previous) {
      if (live.anyWithin(root.epoch, end)) {
        shown.add(root);
      }
      end = root.epoch;
      count++;
    }
    if (shown.size() == count) {
      return this;
    }
    @Nullable Root chain = null;
    for (Root root : shown.reversed()) {
      chain = new Root(root.node, root.epoch, chain);
    }
    return new Root(node, epoch, chain);
  }
}
