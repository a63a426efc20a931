package io.varve.internal.tree;

import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Compares a range of the live tree with an earlier state. What both share, they share as the same
/// page, so the cost is that of what was changed (and of stepping over what was not).
public final class TreeDiff {
  private TreeDiff() {}

  /// Compares values of which at least one is in extents of its own. Such a value moves in the page
  /// file without being changed, so that a leaf may name it in another way.
  @FunctionalInterface
  public interface LargeComparison {
    /// Whether both values hold the same bytes.
    ///
    /// @param before what the earlier state holds for the key
    /// @param now what the live tree held for it when the cursor came by
    boolean isSame(byte[] key, StoredValue before, StoredValue now);
  }

  /// The least key in `from` (inclusive) to `to` (exclusive, or null) whose entry in the live tree
  /// is not that below a root that no longer changes; null if there is none. That there is none is
  /// firm only while writers are shut out.
  ///
  /// @param large decides where the entries of a key differ and a value of them is large
  @SuppressWarnings("ReferenceEquality") // the same array is the same page
  public static byte @Nullable [] firstChange(
      Tree tree, Node before, byte[] from, byte @Nullable [] to, LargeComparison large) {
    if (tree.root() == before) {
      return null;
    }
    TreeCursor left = new TreeCursor(tree, before, from, to);
    TreeCursor right = new TreeCursor(tree, null, from, to);
    boolean leftMore = left.first();
    boolean rightMore = right.first();
    while (leftMore && rightMore) {
      if (left.page() == right.page() && left.index() == right.index()) {
        leftMore = left.skipPage();
        rightMore = right.skipPage();
      } else if (isSameEntry(left.page(), left.index(), right.page(), right.index(), large)) {
        leftMore = left.next();
        rightMore = right.next();
      } else {
        byte[] key = key(left);
        return LeafPage.compareKey(right.page(), right.index(), key) < 0 ? key(right) : key;
      }
    }
    return leftMore ? key(left) : rightMore ? key(right) : null;
  }

  private static byte[] key(TreeCursor cursor) {
    return LeafPage.key(cursor.page(), cursor.index());
  }

  private static boolean isSameEntry(byte[] a, int i, byte[] b, int j, LargeComparison large) {
    byte[] key = LeafPage.key(b, j);
    if (LeafPage.keyLength(a, i) != key.length || LeafPage.compareKey(a, i, key) != 0) {
      return false;
    }
    if (LeafPage.tag(a, i) == LeafPage.tag(b, j)
        && Arrays.equals(LeafPage.value(a, i), LeafPage.value(b, j))) {
      return true;
    }
    return (LeafPage.isLarge(a, i) || LeafPage.isLarge(b, j))
        && large.isSame(key, StoredValue.of(a, i), StoredValue.of(b, j));
  }
}
