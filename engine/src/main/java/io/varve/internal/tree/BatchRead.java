package io.varve.internal.tree;

import io.varve.internal.cache.Pages;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.LeafProbe;
import io.varve.internal.page.Node;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads of up to [#KEYS_MAX] keys that go down the tree side by side. Each step is made for all
/// keys before the next one. So the waits of one step for memory overlap, where those of a single
/// read follow each other.
///
/// A key is read here only if nothing is in the way: its pages are in memory, no writer is inside
/// the leaf, and the value is inline. Each read has its own check of the leaf's version, as that of
/// [Tree#stored]; all else is left to it. So nothing is awaited here, and nothing is loaded.
final class BatchRead {
  /// More would not overlap: a core waits for ten to twenty lines at a time.
  static final int KEYS_MAX = 32;

  private final Pages pages;
  private final byte[][] keys;

  /// The index of the first key, and how many there are.
  private final int from;

  private final int count;
  private final Node[] nodes;
  private final @Nullable Branches[] branches;
  private final int[] versions;

  /// The page of each key's leaf, or null if the key is not read here.
  private final byte[] @Nullable [] leafPages;

  /// Where the search of each key has come to in its leaf.
  private final int[] indexes;

  /// What was touched, kept so that it is.
  private final int[] touched;

  BatchRead(Pages pages, byte[][] keys, int from) {
    this.pages = pages;
    this.keys = keys;
    this.from = from;
    count = Math.min(KEYS_MAX, keys.length - from);
    nodes = new Node[count];
    branches = new Branches[count];
    versions = new int[count];
    leafPages = new byte[count][];
    indexes = new int[count];
    touched = new int[count];
  }

  /// Reads what can be read immediately.
  ///
  /// @param found takes the value of each key that was read, at the key's index: null for none
  /// @param read takes whether the key was read, at the same index
  void run(Node root, byte[] @Nullable [] found, boolean[] read) {
    try {
      descend(root);
      takePages();
      search();
      for (int i = 0; i < count; i++) {
        read[from + i] = leafPages[i] != null && read(i, leafPages[i], found);
      }
    } catch (RuntimeException | Error _) {
      // An access of ours met torn bytes (T4); or else the single reads of the remaining keys will
      // meet the same, and report it.
    }
  }

  private void descend(Node root) {
    Arrays.fill(nodes, root);
    for (int level = root.level(); level > 0; level--) {
      for (int i = 0; i < count; i++) {
        branches[i] = nodes[i] instanceof Inner inner ? Pages.useIfInMemory(inner) : null;
      }
      for (int i = 0; i < count; i++) {
        Branches present = branches[i];
        touched[i] = present == null ? 0 : present.touch();
      }
      for (int i = 0; i < count; i++) {
        Branches present = branches[i];
        if (present != null) {
          nodes[i] = present.child(present.find(keys[from + i]));
        }
      }
    }
  }

  /// Takes the versions and the pages, in this order (L1), of leaves that no writer is inside of.
  private void takePages() {
    for (int i = 0; i < count; i++) {
      versions[i] = nodes[i] instanceof Leaf leaf ? leaf.version() : Leaf.OBSOLETE;
    }
    for (int i = 0; i < count; i++) {
      if ((versions[i] & 1) == 0) {
        leafPages[i] = pages.useIfInMemory((Leaf) nodes[i]);
      }
    }
    for (int i = 0; i < count; i++) {
      byte[] page = leafPages[i];
      touched[i] = page == null ? 0 : LeafProbe.touchHeader(page);
    }
  }

  private void search() {
    for (int i = 0; i < count; i++) {
      byte[] page = leafPages[i];
      indexes[i] = page == null ? 0 : LeafProbe.firstSlot(page, keys[from + i]);
    }
    for (int i = 0; i < count; i++) {
      byte[] page = leafPages[i];
      touched[i] = page == null ? 0 : LeafProbe.touchSlots(page, indexes[i]);
    }
    for (int i = 0; i < count; i++) {
      byte[] page = leafPages[i];
      indexes[i] = page == null ? 0 : LeafProbe.index(page, keys[from + i], indexes[i]);
    }
    for (int i = 0; i < count; i++) {
      byte[] page = leafPages[i];
      touched[i] = page == null ? 0 : LeafProbe.touchRecord(page, indexes[i]);
    }
  }

  private boolean read(int i, byte[] page, byte[] @Nullable [] found) {
    byte[] key = keys[from + i];
    int index = LeafProbe.isAt(page, indexes[i], key) ? indexes[i] : LeafPage.find(page, key);
    if (index >= 0 && LeafPage.isLarge(page, index)) {
      return false;
    }
    byte[] value = index < 0 ? null : LeafPage.value(page, index);
    if (!((Leaf) nodes[i]).validate(versions[i])) {
      return false;
    }
    found[from + i] = value;
    return true;
  }
}
