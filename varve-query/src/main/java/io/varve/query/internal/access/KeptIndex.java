package io.varve.query.internal.access;

import io.varve.spi.SpaceIndex;

/// An index that the engine keeps, and queries read.
public sealed interface KeptIndex extends SpaceIndex permits RowIndex, ShadowIndex {
  /// What its entries are made of.
  IndexForm form();

  @Override
  default String name() {
    return form().name();
  }

  @Override
  default boolean isUnique() {
    return form().isUnique();
  }

  @Override
  default int prefixBytes(byte[] indexEntry) {
    return form().prefixBytes(indexEntry);
  }
}
