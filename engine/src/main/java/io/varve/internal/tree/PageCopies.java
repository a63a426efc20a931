package io.varve.internal.tree;

import org.jspecify.annotations.Nullable;

/// Copies of pages that a cursor makes of leaves that may change: two arrays by turns, so that a
/// scan makes no garbage, and the copy made last stays whole while the next is tried.
///
/// For one thread at a time.
final class PageCopies {
  private byte @Nullable [] newest;
  private byte @Nullable [] older;

  /// A copy of a page, which counts once it was [#accept]ed.
  byte[] of(byte[] page) {
    byte[] copy = older;
    if (copy == null || copy.length != page.length) {
      return page.clone();
    }
    System.arraycopy(page, 0, copy, 0, page.length);
    return copy;
  }

  /// Notes that a copy is whole, and is shown from now on.
  void accept(byte[] copy) {
    older = newest;
    newest = copy;
  }
}
