package io.varve.internal.tree;

import io.varve.internal.cache.Pages;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Extent;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Sums over the entries of a range, from the counts that nodes hold wherever a subtree is wholly
/// in the range.
final class RangeSums {
  /// Children of an inner node that a sample looks at.
  private static final int SAMPLE = 8;

  private final Pages pages;
  private final byte[] from;
  private final byte @Nullable [] to;

  RangeSums(Pages pages, byte[] from, byte @Nullable [] to) {
    this.pages = pages;
    this.from = from;
    this.to = to;
  }

  /// The entries below a root.
  ///
  /// @param fixed whether the root no longer changes: then nodes keep what was counted, and the
  ///   next to count looks only at those that were changed since
  /// @throws io.varve.internal.cache.ReplacedPageException if an image is not what is meant, or the
  ///   tree changed concurrently
  long entries(Node root, boolean fixed) {
    return isEmpty() ? 0 : entries(root, from.length == 0, to == null, fixed);
  }

  private boolean isEmpty() {
    return to != null && Arrays.compareUnsigned(from, to) >= 0;
  }

  /// @param openLow whether the whole subtree is above `from`
  /// @param openHigh whether the whole subtree is below `to`
  private long entries(Node node, boolean openLow, boolean openHigh, boolean fixed) {
    boolean whole = openLow && openHigh;
    long known = node.entryCount();
    if (whole && known != Node.UNCOUNTED) {
      return known;
    }
    long entries = sum(node, openLow, openHigh, fixed);
    if (whole && fixed) {
      node.counted(entries);
    }
    return entries;
  }

  private long sum(Node node, boolean openLow, boolean openHigh, boolean fixed) {
    switch (node) {
      case Leaf leaf -> {
        byte[] page = pages.loadLive(leaf);
        return (long) end(page, openHigh) - start(page, openLow);
      }
      case Inner inner -> {
        Branches branches = pages.loadLive(inner);
        int first = openLow ? 0 : branches.find(from);
        int last = openHigh || to == null ? branches.count() - 1 : branches.findBelow(to);
        long sum = 0;
        for (int i = first; i <= last; i++) {
          sum += entries(branches.child(i), openLow || i > first, openHigh || i < last, fixed);
        }
        return sum;
      }
    }
  }

  private int start(byte[] page, boolean openLow) {
    return openLow ? 0 : position(page, from);
  }

  private int end(byte[] page, boolean openHigh) {
    return openHigh || to == null ? LeafPage.count(page) : position(page, to);
  }

  private static int position(byte[] page, byte[] key) {
    int index = LeafPage.find(page, key);
    return index < 0 ? ~index : index;
  }

  /// About the bytes on disk: whole leaves by their images, those not yet written as full pages,
  /// those at the ends as halves. The root may be that of the live tree.
  ///
  /// @throws io.varve.internal.cache.ReplacedPageException if the tree changed concurrently
  long bytes(Node root) {
    return isEmpty() ? 0 : bytes(root, from.length == 0, to == null);
  }

  /// About the leaves of the whole tree, from evenly spaced children of each inner node.
  ///
  /// @throws io.varve.internal.cache.ReplacedPageException if the tree changed concurrently
  LeafSums sampledLeaves(Node node) {
    switch (node) {
      case Leaf leaf -> {
        return new LeafSums(bytes(leaf), 1, leaf.isInMemory() ? 1 : 0);
      }
      case Inner inner -> {
        Branches branches = pages.loadLive(inner);
        int sampled = Math.min(SAMPLE, branches.count());
        LeafSums sum = LeafSums.NONE;
        for (int i = 0; i < sampled; i++) {
          sum = sum.plus(sampledLeaves(branches.child(branches.count() * i / sampled)));
        }
        return sum.scaled(branches.count(), sampled);
      }
    }
  }

  private long bytes(Leaf leaf) {
    return leaf.isClean() ? Extent.bytes(leaf.extent()) : pages.pageBytes() * 2L / 3;
  }

  private long bytes(Node node, boolean openLow, boolean openHigh) {
    switch (node) {
      case Leaf leaf -> {
        return openLow && openHigh ? bytes(leaf) : bytes(leaf) / 2;
      }
      case Inner inner -> {
        Branches branches = pages.loadLive(inner);
        int first = openLow ? 0 : branches.find(from);
        int last = openHigh || to == null ? branches.count() - 1 : branches.findBelow(to);
        long sum = 0;
        for (int i = first; i <= last; i++) {
          sum += bytes(branches.child(i), openLow || i > first, openHigh || i < last);
        }
        return sum;
      }
    }
  }
}
