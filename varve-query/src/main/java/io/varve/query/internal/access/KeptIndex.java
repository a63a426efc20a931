package io.varve.query.internal.access;

import io.varve.spi.SpaceIndex;

/// An index that the engine keeps, and queries read.
public sealed interface KeptIndex extends SpaceIndex permits RowIndex, ShadowIndex {
  /// What its entries are made of.
  IndexForm form();
}
