package io.varve.internal.tree;

import static io.varve.internal.tree.WritePath.branchesOf;

import io.varve.internal.cache.Pages;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;

/// Merges the nodes of a tree that deletes have made small. What it finds missing in memory it lets
/// be: a later change merges that.
///
/// For the thread of the `TreeWriter` alone.
final class NodeMerger {
  /// Below this many children an inner node is merged with a sibling.
  private static final int CHILDREN_MIN = InnerLimits.CHILDREN_MAX / 6;

  private final Tree tree;
  private final Pages pages;
  private final Epochs epochs;

  NodeMerger(Tree tree, Epochs epochs) {
    this.tree = tree;
    this.pages = tree.pages();
    this.epochs = epochs;
  }

  /// Merges the leaf with a neighbour if it has become small, or drops it if it is empty: then the
  /// path leads to no leaf any more.
  ///
  /// @param path where the writer is: what it leads to is what has become small
  void mergeIfSmall(WritePath path, long epoch) {
    byte[] page = path.page();
    int depth = path.depth();
    if (depth == 0 || LeafPage.liveBytes(page) * 4 > pages.pageBytes()) {
      return;
    }
    Inner parent = path.inner(depth - 1);
    Branches branches = branchesOf(parent);
    int slot = path.slot(depth - 1);
    if (branches.count() == 1) {
      mergeInner(path, depth - 1, epoch);
      return;
    }
    if (LeafPage.count(page) == 0) {
      parent.branches(branches.remove(slot));
      tree.retire(path.leaf(), epoch, epochs);
    } else if (!mergeLeaves(parent, slot, epoch) && !mergeLeaves(parent, slot - 1, epoch)) {
      return;
    }
    mergeInner(path, depth - 1, epoch);
    path.forget();
  }

  /// Merges the leaves at `left` and right of it, if there are both, in memory, and small.
  private boolean mergeLeaves(Inner parent, int left, long epoch) {
    Branches branches = branchesOf(parent);
    if (left < 0 || left + 1 >= branches.count()) {
      return false;
    }
    Leaf first = (Leaf) branches.child(left);
    Leaf second = (Leaf) branches.child(left + 1);
    byte[] firstPage = first.page();
    byte[] secondPage = second.page();
    if (firstPage == null || secondPage == null) {
      return false;
    }
    int live = LeafPage.liveBytes(firstPage) + LeafPage.liveBytes(secondPage);
    if (LeafPage.bytesFor(live) * 4 > pages.pageBytes() * 3) {
      return false;
    }
    parent.branches(branches.merge(left, pages.newLeaf(epoch, merge(firstPage, secondPage))));
    tree.retire(first, epoch, epochs);
    tree.retire(second, epoch, epochs);
    return true;
  }

  private byte[] merge(byte[] first, byte[] second) {
    int count = LeafPage.count(first) + LeafPage.count(second);
    MergedEntries entries = new MergedEntries(Math.max(1, count));
    entries.add(first, 0, LeafPage.count(first));
    entries.add(second, 0, LeafPage.count(second));
    return entries.build(0, entries.size(), pages.pageBytes());
  }

  /// Merges an inner node of the path that has few children with a neighbour, and drops a root that
  /// has one child.
  private void mergeInner(WritePath path, int level, long epoch) {
    Inner inner = path.inner(level);
    Branches branches = branchesOf(inner);
    if (level == 0) {
      if (branches.count() == 1) {
        tree.publishRoot(branches.child(0), epoch, epochs);
        tree.retire(inner, epoch, epochs);
        path.forget();
      }
      return;
    }
    if (branches.count() > CHILDREN_MIN) {
      return;
    }
    Inner parent = path.inner(level - 1);
    Branches siblings = branchesOf(parent);
    int slot = path.slot(level - 1);
    if (siblings.count() == 1) {
      mergeInner(path, level - 1, epoch);
      return;
    }
    if (mergeInners(parent, slot, epoch) || mergeInners(parent, slot - 1, epoch)) {
      mergeInner(path, level - 1, epoch);
      path.forget();
    }
  }

  /// Merges the inner nodes at `left` and right of it, if there are both, in memory, and small.
  private boolean mergeInners(Inner parent, int left, long epoch) {
    Branches siblings = branchesOf(parent);
    if (left < 0 || left + 1 >= siblings.count()) {
      return false;
    }
    Inner first = (Inner) siblings.child(left);
    Inner second = (Inner) siblings.child(left + 1);
    Branches firstBranches = first.branches();
    Branches secondBranches = second.branches();
    if (firstBranches == null || secondBranches == null) {
      return false;
    }
    Branches joined = firstBranches.join(siblings.separator(left), secondBranches);
    if (joined.count() > InnerLimits.CHILDREN_MAX * 3 / 4 || InnerLimits.overflow(joined)) {
      return false;
    }
    parent.branches(siblings.merge(left, pages.newInner(epoch, first.level(), joined)));
    tree.retire(first, epoch, epochs);
    tree.retire(second, epoch, epochs);
    return true;
  }
}
