package io.varve.internal.tree;

import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Tells whether a range of the live tree holds the same entries as an earlier state. What both
/// share, they share as the same page, so the cost is that of what was changed (and of stepping
/// over what was not).
public final class TreeDiff {
  private TreeDiff() {}

  /// Whether the entries in `from` (inclusive) to `to` (exclusive, or null) of the live tree are
  /// those below a root that no longer changes. A true answer is firm only while writers are shut
  /// out.
  @SuppressWarnings("ReferenceEquality") // the same array is the same page
  public static boolean isUnchanged(Tree tree, Node before, byte[] from, byte @Nullable [] to) {
    if (tree.root() == before) {
      return true;
    }
    TreeCursor left = new TreeCursor(tree, before, from, to);
    TreeCursor right = new TreeCursor(tree, null, from, to);
    boolean more = left.first();
    if (more != right.first()) {
      return false;
    }
    while (more) {
      if (left.page() == right.page() && left.index() == right.index()) {
        more = left.skipPage();
        if (more != right.skipPage()) {
          return false;
        }
        continue;
      }
      if (!isSameEntry(left.page(), left.index(), right.page(), right.index())) {
        return false;
      }
      more = left.next();
      if (more != right.next()) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSameEntry(byte[] a, int i, byte[] b, int j) {
    return LeafPage.tag(a, i) == LeafPage.tag(b, j)
        && LeafPage.keyLength(a, i) == LeafPage.keyLength(b, j)
        && LeafPage.compareKey(a, i, LeafPage.key(b, j)) == 0
        && Arrays.equals(LeafPage.value(a, i), LeafPage.value(b, j));
  }
}
