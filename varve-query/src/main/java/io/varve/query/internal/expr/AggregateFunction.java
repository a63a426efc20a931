package io.varve.query.internal.expr;

/// Functions of all rows of a group.
public enum AggregateFunction {
  /// How many values there are.
  COUNT,
  /// The sum of numbers.
  SUM,
  /// The mean of numbers.
  AVG,
  /// The least value.
  MIN,
  /// The greatest value.
  MAX
}
