package io.varve.internal.tree;

import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import org.jspecify.annotations.Nullable;

/// The way to the leaf that one change needs, found before the lock of the space is taken: so the
/// cache misses of the search, and the copy of a page of an older epoch, are outside of the lock.
///
/// (APPROACH-1) Nothing of it counts unless [WritePath#stands] returns true under the lock. Then
/// its page, its bounds and its copy are what a search under the lock would have found or made.
///
/// For the thread that made it.
public final class Approach {
  private static final int UNKNOWN = Integer.MIN_VALUE;

  private final byte[] key;
  private final WritePath path;

  /// Where the key was in the page, or [#UNKNOWN] if the page changed during the search.
  private int index = UNKNOWN;

  /// The version of the leaf for which `index` holds.
  private int version;

  /// What was read so that it is in the core's cache, and means nothing. Without a field to keep it
  /// the compiler would drop the reads.
  @SuppressWarnings("unused")
  private int touched;

  /// A copy of the page of a leaf of an older epoch, which no writer changes any more; or null.
  private byte @Nullable [] copy;

  private Approach(byte[] key, WritePath path) {
    this.key = key;
    this.path = path;
  }

  /// Looks for the leaf of `key`, and gets ready what a change of it needs. Called without locks.
  ///
  /// @param puts whether the change puts an entry, so that the leaf changes in any case
  /// @return null if a page is missing, which is named then
  static @Nullable Approach find(
      Tree tree, Epochs epochs, byte[] key, boolean puts, NeededPages needed) {
    WritePath path = new WritePath(tree);
    long epoch = epochs.current();
    if (!path.descend(key, needed)) {
      return null;
    }
    Approach approach = new Approach(key, path);
    approach.look();
    if (path.leaf().epoch() < epoch && (puts || approach.index >= 0)) {
      // That epoch was closed when nobody was inside the gate: no commit changes the page any more.
      approach.copy = path.copyOfPage();
    }
    return approach;
  }

  private void look() {
    Leaf leaf = path.leaf();
    int before = leaf.version();
    if ((before & 1) != 0) {
      return;
    }
    int found;
    try {
      found = LeafPage.find(path.page(), key);
      touched = LeafPage.touch(path.page(), found);
    } catch (RuntimeException _) {
      return; // It met torn bytes (T4), or what the search under the lock will meet again.
    }
    if (leaf.validate(before)) {
      version = before;
      index = found;
    }
  }

  /// Whether this leads to `wanted` still. Under the lock of the space.
  @SuppressWarnings("ReferenceEquality") // the array of the same change
  boolean leadsTo(byte[] wanted) {
    return key == wanted && path.stands();
  }

  WritePath path() {
    return path;
  }

  /// Where the key is in the page, or the complement of where it would go. Under the lock.
  int index() {
    return index != UNKNOWN && path.leaf().version() == version
        ? index
        : LeafPage.find(path.page(), key);
  }

  /// A copy of the page of a leaf of an older epoch.
  byte[] copy() {
    byte[] made = copy;
    return made == null ? path.copyOfPage() : made;
  }
}
