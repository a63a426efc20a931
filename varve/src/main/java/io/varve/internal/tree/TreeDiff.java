package io.varve.internal.tree;

import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Tells whether a range holds the same entries in two states of one tree. What both states share,
/// they share as the same page, so the cost is that of what was changed (and of stepping over what
/// was not).
public final class TreeDiff {
  private TreeDiff() {}

  /// Whether the entries in `from` (inclusive) to `to` (exclusive, or null) are the same below two
  /// roots. The second may be that of the live tree if its writer is shut out.
  public static boolean isSame(
      Tree tree, Node first, Node second, byte[] from, byte @Nullable [] to) {
    if (first == second) {
      return true;
    }
    TreeCursor left = new TreeCursor(tree, first, from, to);
    TreeCursor right = new TreeCursor(tree, second, from, to);
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
