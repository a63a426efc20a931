package io.varve.internal.tree;

import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How many changes of one tree will be applied together: per leaf, in key order.
public final class BatchPlan {
  final List<Step> steps = new ArrayList<>();

  /// What the leaf of a change holds for its key, or null.
  ///
  /// @param change the index of the change
  public @Nullable StoredValue stored(int change, byte[] key) {
    int at = 0;
    int last = steps.size() - 1;
    while (at < last) { // the last one that begins at the change, or before it
      int middle = (at + last + 1) >>> 1;
      if (steps.get(middle).from() <= change) {
        at = middle;
      } else {
        last = middle - 1;
      }
    }
    byte[] page = steps.get(at).leaf().page();
    if (page == null) {
      throw new IllegalStateException("page of a prepared leaf is not in memory");
    }
    int found = LeafPage.find(page, key);
    return found < 0 ? null : StoredValue.of(page, found);
  }

  /// The changes `from` to `to` (exclusive) fall into one leaf.
  sealed interface Step {
    Leaf leaf();

    int from();

    int to();
  }

  /// They fit into the leaf as it is.
  record InPlace(Leaf leaf, int from, int to) implements Step {}

  /// They do not fit: the leaf is replaced by these pages, which hold its entries with the changes.
  record Rebuild(Leaf leaf, byte[] firstKey, List<byte[]> pages, int from, int to)
      implements Step {}
}
