package io.varve.internal.checkpoint;

import io.varve.internal.cache.PageCache;
import io.varve.internal.file.Catalog.SpaceRoot;
import io.varve.internal.file.SpaceDefinition;
import io.varve.internal.page.Node;
import io.varve.internal.txn.DroppedSpaces;
import io.varve.internal.txn.SpaceCore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Writes the trees of all spaces as of a closed epoch. Under the page lock.
final class CheckpointTrees {
  /// The share of the memory for pages that inner pages may take which wait to be written.
  private static final double DIRTY_INNER_SHARE_MAX = 0.7;

  private final PageCache cache;
  private final CheckpointWriter writer;

  CheckpointTrees(PageCache cache, CheckpointWriter writer) {
    this.cache = cache;
    this.writer = writer;
  }

  /// Writes dirty leaves, and the inner pages above as well only where those take too much memory.
  void spill(CheckpointStart start, long epoch) throws IOException {
    boolean leavesAlone =
        cache.dirtyInnerBytes() <= (long) (cache.bytesMax() * DIRTY_INNER_SHARE_MAX);
    for (SpaceCore space : start.trees()) {
      Node root = root(space, epoch);
      if (leavesAlone) {
        writer.writeLeaves(root, space.id());
      } else {
        writer.write(root, space.id());
      }
    }
    writer.flush();
  }

  /// Writes all that is dirty.
  ///
  /// @return what the catalog names
  List<SpaceRoot> write(CheckpointStart start, long epoch) throws IOException {
    List<SpaceCore> trees = start.trees();
    List<Node> nodes = new ArrayList<>();
    for (SpaceCore space : trees) {
      Node root = root(space, epoch);
      writer.write(root, space.id());
      nodes.add(root);
    }
    writer.flush();
    List<SpaceRoot> roots = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      Node root = nodes.get(i);
      int id = trees.get(i).id();
      // As of the cut: what is dropped or renamed after it is so by the log.
      boolean isDropped = i >= start.spaces().size();
      roots.add(
          new SpaceRoot(
              id,
              isDropped ? SpaceDefinition.of(DroppedSpaces.name(id)) : start.definition(i),
              root.level(),
              root.extent(),
              root.checksum(),
              root.entryCount()));
    }
    return roots;
  }

  private static Node root(SpaceCore space, long epoch) {
    Node root = space.tree().rootAt(epoch);
    if (root == null) {
      throw new IllegalStateException("no root of the closed epoch: space=" + space.name());
    }
    return root;
  }
}
