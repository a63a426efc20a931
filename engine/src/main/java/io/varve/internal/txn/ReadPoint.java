package io.varve.internal.txn;

/// The point in the commit order that a transaction reads from.
interface ReadPoint {
  /// Whether it is fixed: what is committed from then on is not read.
  boolean isReadPointFixed();
}
