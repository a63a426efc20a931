package io.varve.internal.salvage;

import io.varve.internal.page.LeafPage;
import io.varve.internal.tree.StoredValue;

/// The entries of a leaf that was found, each with its stored value.
final class LeafEntries {
  private final int space;
  private final byte[] page;

  LeafEntries(int space, byte[] page) {
    this.space = space;
    this.page = page;
  }

  int space() {
    return space;
  }

  int count() {
    return LeafPage.count(page);
  }

  byte[] key(int index) {
    return LeafPage.key(page, index);
  }

  StoredValue value(int index) {
    return new StoredValue(LeafPage.value(page, index), LeafPage.isLarge(page, index));
  }
}
