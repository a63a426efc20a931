package io.varve.query.internal.access;

/// Where the entries of an index have nulls, read forwards.
public enum NullOrder {
  /// Before all values.
  FIRST,
  /// After all values.
  LAST,
  /// Nowhere: what is null has no entry.
  ABSENT
}
