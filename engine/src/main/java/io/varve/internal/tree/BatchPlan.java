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

  /// Whether a leaf can take the changes `from` to `to` (exclusive) as it is. A value as long as
  /// the one before goes over that; where not all fit without, each of these is looked for.
  static boolean fitInPlace(byte[] page, Changes changes, int from, int to) {
    return fitInPlace(page, changes, from, to, false) || fitInPlace(page, changes, from, to, true);
  }

  private static boolean fitInPlace(
      byte[] page, Changes changes, int from, int to, boolean overwriting) {
    int needed = 0;
    for (int i = from; i < to; i++) {
      byte[] key = changes.key(i);
      byte[] value = changes.value(i);
      if (value == null) {
        continue;
      }
      int index = overwriting ? LeafPage.find(page, key) : -1;
      if (index >= 0 && LeafPage.fitsOverValue(page, index, value.length)) {
        continue;
      }
      needed += LeafPage.entryBytes(key.length, value.length);
      if (!LeafPage.fitsInPlace(page, key, needed - LeafPage.entryBytes(key.length, 0))) {
        return false;
      }
    }
    return true;
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
