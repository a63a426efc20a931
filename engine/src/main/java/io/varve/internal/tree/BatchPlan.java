package io.varve.internal.tree;

import io.varve.internal.page.Leaf;
import java.util.ArrayList;
import java.util.List;

/// How many changes of one tree will be applied together: per leaf, in key order.
public final class BatchPlan {
  final List<Step> steps = new ArrayList<>();

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
