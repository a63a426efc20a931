package io.varve.internal.tree;

import io.varve.internal.page.Leaf;
import io.varve.internal.page.RecordOrder;
import org.jspecify.annotations.Nullable;

/// Copies of pages that a cursor makes of leaves that may change: two arrays by turns, so that a
/// scan makes no garbage, and the copy made last stays whole while the next is tried.
///
/// The page of a clean leaf needs no copy. But its records may be in the order of their inserts:
/// then a scan waits for each. Of such pages a cursor puts every second one in key order, for those
/// that come after it too. So a scan that comes once pays for half of them, and leaves that are
/// scanned again and again are soon all in order.
///
/// For one thread at a time.
final class PageCopies {
  private byte @Nullable [] newest;
  private byte @Nullable [] older;
  private boolean isNextOrdered;

  /// A copy of a page, which counts once it was [#accept]ed.
  byte[] of(byte[] page) {
    byte[] copy = older;
    if (copy == null || copy.length != page.length) {
      return page.clone();
    }
    System.arraycopy(page, 0, copy, 0, page.length);
    return copy;
  }

  /// The page of a clean leaf as it is, or in key order from now on.
  byte[] clean(Leaf leaf, byte[] page) {
    if (RecordOrder.isSequential(page)) {
      return page;
    }
    isNextOrdered = !isNextOrdered;
    if (!isNextOrdered) {
      return page;
    }
    byte[] ordered = RecordOrder.copyInOrder(page);
    leaf.order(page, ordered);
    return ordered;
  }

  /// Notes that a copy is whole, and is shown from now on.
  void accept(byte[] copy) {
    older = newest;
    newest = copy;
  }
}
