package io.varve.internal.tree;

import io.varve.internal.cache.Pages;
import io.varve.internal.cache.ReplacedPageException;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Estimates how many entries a range of a tree holds, and where to cut it in halves: by inner
/// pages alone, at most two paths of them. The root no longer changes.
///
/// Clean subtrees know their entries exactly. Dirty ones are in memory, down to their leaves (N2):
/// a dirty inner node is taken to have as many below each child as below the one in its middle.
/// Leaves at the ends of the range count half.
public final class RangeCut {
  private final Pages pages;
  private final Node root;
  private final byte[] from;
  private final byte @Nullable [] to;

  /// Makes what looks at one range.
  ///
  /// @param from inclusive
  /// @param to exclusive and above `from`, or null for no bound
  public RangeCut(Pages pages, Node root, byte[] from, byte @Nullable [] to) {
    assert to == null || Arrays.compareUnsigned(from, to) < 0 : "an empty range has no middle";
    this.pages = pages;
    this.root = root;
    this.from = from;
    this.to = to;
  }

  /// A separator inside of the range, and about the entries of the range on both sides of it.
  public record Cut(byte[] separator, long below, long above) {}

  /// About the entries in the range.
  public long entries() {
    try {
      return entries(root, from.length == 0, to == null);
    } catch (ReplacedPageException e) {
      throw e.mismatch();
    }
  }

  /// The separator next to the middle of the range, or null if no page ends inside of it.
  public @Nullable Cut middle() {
    try {
      return new Search(entries()).cut();
    } catch (ReplacedPageException e) {
      throw e.mismatch();
    }
  }

  private int first(Branches branches, boolean openLow) {
    return openLow ? 0 : branches.find(from);
  }

  private int last(Branches branches, boolean openHigh) {
    return openHigh || to == null ? branches.count() - 1 : branches.findBelow(to);
  }

  /// Whether all of the first child is above `from`: so it is where that is a separator.
  private boolean startsAt(Branches branches, int first, boolean openLow) {
    return openLow || (first > 0 && branches.compareSeparator(first - 1, from) == 0);
  }

  /// Whether all of the last child is below `to`.
  private boolean endsAt(Branches branches, int last, boolean openHigh) {
    return openHigh
        || (to != null && last < branches.count() - 1 && branches.compareSeparator(last, to) == 0);
  }

  /// @param openLow whether the whole subtree is above `from`
  /// @param openHigh whether the whole subtree is below `to`
  private long entries(Node node, boolean openLow, boolean openHigh) {
    boolean whole = openLow && openHigh;
    if (whole && node.isClean()) {
      return node.entryCount();
    }
    return switch (node) {
      case Leaf leaf -> whole ? entries(leaf) : (entries(leaf) + 1) / 2;
      case Inner inner -> {
        Branches branches = pages.loadLive(inner);
        int count = branches.count();
        yield whole
            ? count * entries(branches.child(count / 2), true, true)
            : entries(branches, openLow, openHigh);
      }
    };
  }

  private static long entries(Leaf leaf) {
    byte[] page = leaf.isClean() ? null : leaf.page();
    // A page that is null was dirty before, and was written since.
    return page == null ? leaf.entryCount() : LeafPage.count(page);
  }

  private long entries(Branches branches, boolean openLow, boolean openHigh) {
    int first = first(branches, openLow);
    int last = last(branches, openHigh);
    boolean low = startsAt(branches, first, openLow);
    boolean high = endsAt(branches, last, openHigh);
    long sum = 0;
    for (int i = first; i <= last; i++) {
      sum += entries(branches.child(i), low || i > first, high || i < last);
    }
    return sum;
  }

  /// A walk down to where half of the entries are passed, which notes the best separator on its
  /// way.
  private final class Search {
    private final long total;
    private final long target;
    private long passed;
    private byte @Nullable [] best;
    private long bestBelow;

    Search(long total) {
      this.total = total;
      this.target = total / 2;
    }

    @Nullable Cut cut() {
      Node node = root;
      boolean openLow = from.length == 0;
      boolean openHigh = to == null;
      while (node instanceof Inner inner) {
        Branches branches = pages.loadLive(inner);
        int first = first(branches, openLow);
        int last = last(branches, openHigh);
        openLow = startsAt(branches, first, openLow);
        openHigh = endsAt(branches, last, openHigh);
        int slot = first;
        long within = entries(branches.child(slot), openLow, openHigh || slot < last);
        while (slot < last && passed + within <= target) {
          passed += within;
          slot++;
          within = entries(branches.child(slot), true, openHigh || slot < last);
        }
        if (slot > first) {
          consider(branches, slot - 1, passed);
        }
        if (slot < last) {
          consider(branches, slot, passed + within);
        }
        openLow |= slot > first;
        openHigh |= slot < last;
        node = branches.child(slot);
      }
      byte[] found = best;
      return found == null ? null : new Cut(found, bestBelow, Math.max(0, total - bestBelow));
    }

    private void consider(Branches branches, int separator, long below) {
      if (best == null || Math.abs(below - target) < Math.abs(bestBelow - target)) {
        best = branches.separator(separator);
        bestBelow = below;
      }
    }
  }
}
