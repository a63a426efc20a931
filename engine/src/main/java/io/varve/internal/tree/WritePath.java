package io.varve.internal.tree;

import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import org.jspecify.annotations.Nullable;

/// The way from the root of a tree to the leaf that a writer changes: the inner nodes, the slots
/// that were taken, the leaf, and the bounds of its keys.
///
/// - (PATH-1) What a path holds of clean pages is held outside of the cache's budget. So a space
///   that is not in use holds none: its path is forgotten when its pages have been written.
///
/// For one thread: that of the [TreeWriter], or the one that made its [Approach].
final class WritePath {
  private static final Inner[] NO_INNERS = {};
  private static final Branches[] NO_BRANCHES = {};
  private static final int[] NO_SLOTS = {};

  private final Tree tree;

  /// The inner nodes from the root to the leaf, and their branches as the descent found them: a
  /// clean node's may leave memory at any time.
  private Inner[] inners = NO_INNERS;

  private Branches[] innerBranches = NO_BRANCHES;
  private int[] slots = NO_SLOTS;
  private int depth;

  /// The leaf that the path leads to and its page; null for none. The page is held here since a
  /// clean one may leave the leaf at any time.
  private @Nullable Leaf leaf;

  private byte @Nullable [] leafPage;

  /// The branches and the slots whose separators are the bounds of the leaf's keys; null for none.
  private @Nullable Branches lower;

  private int lowerSlot;
  private @Nullable Branches upper;
  private int upperSlot;

  /// Whether the last search ended in the leaf of the one before: then the next may, too (appends).
  private boolean lingering;

  WritePath(Tree tree) {
    this.tree = tree;
  }

  /// Finds the leaf of `key`. Remembers the path.
  ///
  /// @return false if a page is missing; then the bounds are those of what is missing
  boolean descend(byte[] key, NeededPages needed) {
    if (lingering && isWithin(key)) {
      return true;
    }
    Leaf before = leaf;
    forgetLeaf();
    Node node = tree.root();
    begin(node.level());
    while (node instanceof Inner inner) {
      Branches branches = needed.branches(inner);
      if (branches == null) {
        needed.want(inner);
        return false;
      }
      int slot = branches.find(key);
      inners[depth] = inner;
      innerBranches[depth] = branches;
      slots[depth++] = slot;
      if (slot > 0) {
        lower = branches;
        lowerSlot = slot - 1;
      }
      if (slot < branches.count() - 1) {
        upper = branches;
        upperSlot = slot;
      }
      node = branches.child(slot);
    }
    Leaf target = (Leaf) node;
    byte[] page = needed.page(target);
    if (page == null) {
      needed.want(target);
      return false;
    }
    leaf = target;
    leafPage = page;
    lingering = target == before;
    return true;
  }

  private void begin(int levels) {
    depth = 0;
    lower = null;
    upper = null;
    if (levels > inners.length) {
      inners = new Inner[levels];
      innerBranches = new Branches[levels];
      slots = new int[levels];
    }
  }

  /// Whether the path, which was found without the lock, is what a search under the lock would
  /// find: each node is where it was, with the same branches and page. Called under the lock. False
  /// if a page left memory since, even if it came back.
  @SuppressWarnings("ReferenceEquality") // nodes and branches
  boolean stands() {
    Node node = tree.root();
    for (int level = 0; level < depth; level++) {
      if (node != inners[level] || inners[level].branches() != innerBranches[level]) {
        return false;
      }
      node = innerBranches[level].present(slots[level]);
    }
    Leaf target = leaf;
    return target != null && node == target && target.page() == leafPage;
  }

  /// Notes that the search before this one followed another path.
  void comesAfter(WritePath before) {
    lingering = leaf == before.leaf;
  }

  /// Whether the next search may well end in the same leaf.
  boolean isLingering() {
    return lingering;
  }

  /// Finds the leaf of `key` again, of which every page is dirty.
  void descendDirty(byte[] key) {
    if (!descend(key, new NeededPages())) {
      throw new IllegalStateException("a page of the path left memory while it was dirty");
    }
  }

  private boolean isWithin(byte[] key) {
    return leaf != null
        && (lower == null || lower.compareSeparator(lowerSlot, key) <= 0)
        && isBelowUpper(key);
  }

  boolean isBelowUpper(byte[] key) {
    return upper == null || upper.compareSeparator(upperSlot, key) > 0;
  }

  /// Whether the leaf is the first of the tree.
  boolean isFirst() {
    return lower == null;
  }

  /// Whether the leaf is the last of the tree.
  boolean isLast() {
    return upper == null;
  }

  /// Begins the next search at the root. Holds no page any more (PATH-1).
  void forget() {
    inners = NO_INNERS;
    innerBranches = NO_BRANCHES;
    depth = 0;
    lower = null;
    upper = null;
    forgetLeaf();
  }

  private void forgetLeaf() {
    leaf = null;
    leafPage = null;
    lingering = false;
  }

  /// Lets the next search pass the root, though the leaf stays what this leads to.
  void descendNext() {
    lingering = false;
  }

  /// The inner nodes above the leaf.
  int depth() {
    return depth;
  }

  /// The inner node at a level, 0 for the root.
  Inner inner(int level) {
    return inners[level];
  }

  /// The branches of that node as the descent found them.
  Branches branches(int level) {
    return innerBranches[level];
  }

  /// The slot that the descent took there.
  int slot(int level) {
    return slots[level];
  }

  /// Notes that a copy has replaced an inner node.
  void replaced(int level, Inner copy, Branches branches) {
    inners[level] = copy;
    innerBranches[level] = branches;
  }

  /// Notes that another leaf, or another page, has replaced the leaf's.
  void replaced(Leaf copy, byte[] page) {
    leaf = copy;
    leafPage = page;
  }

  Leaf leaf() {
    Leaf target = leaf;
    if (target == null) {
      throw new IllegalStateException("no change was prepared");
    }
    return target;
  }

  byte[] page() {
    byte[] page = leafPage;
    if (page == null) {
      throw new IllegalStateException("no change was prepared");
    }
    return page;
  }

  /// A copy of the leaf's page that can be changed.
  byte[] copyOfPage() {
    return LeafPage.writableCopy(page(), tree.pages().pageBytes());
  }

  /// The branches of a node that is dirty, or that the path leads through.
  static Branches branchesOf(Inner inner) {
    Branches branches = inner.branches();
    if (branches == null) {
      throw new IllegalStateException("branches on a prepared path are not in memory");
    }
    return branches;
  }
}
