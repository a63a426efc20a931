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
    for (Step step : steps) {
      if (step.from() <= change && change < step.to()) {
        byte[] page = step.leaf().page();
        if (page == null) {
          throw new IllegalStateException("page of a prepared leaf is not in memory");
        }
        int at = LeafPage.find(page, key);
        return at < 0 ? null : StoredValue.of(page, at);
      }
    }
    return null;
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
