package io.varve.query;

/// Where answers without a value come in an order.
///
/// @since 1.0
public enum Nulls {
  /// Before those with a value.
  FIRST,
  /// After those with a value.
  LAST
}
