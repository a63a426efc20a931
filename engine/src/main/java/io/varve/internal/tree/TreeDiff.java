package io.varve.internal.tree;

import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Compares a range of the live tree with an earlier state. What both share, they share as the same
/// page, so the cost is that of what was changed (and of stepping over what was not).
public final class TreeDiff {
  private TreeDiff() {}

  /// The least key in `from` (inclusive) to `to` (exclusive, or null) whose entry in the live tree
  /// is not that below a root that no longer changes; null if there is none. That there is none is
  /// firm only while writers are shut out.
  @SuppressWarnings("ReferenceEquality") // the same array is the same page
  public static byte @Nullable [] firstChange(
      Tree tree, Node before, byte[] from, byte @Nullable [] to) {
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
      } else if (isSameEntry(left.page(), left.index(), right.page(), right.index())) {
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

  private static boolean isSameEntry(byte[] a, int i, byte[] b, int j) {
    return LeafPage.tag(a, i) == LeafPage.tag(b, j)
        && LeafPage.keyLength(a, i) == LeafPage.keyLength(b, j)
        && LeafPage.compareKey(a, i, LeafPage.key(b, j)) == 0
        && Arrays.equals(LeafPage.value(a, i), LeafPage.value(b, j));
  }
}
