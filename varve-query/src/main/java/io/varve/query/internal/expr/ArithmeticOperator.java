package io.varve.query.internal.expr;

/// The operators between numbers.
public enum ArithmeticOperator {
  /// `+`
  ADD("+"),
  /// `-`
  SUBTRACT("-"),
  /// `*`
  MULTIPLY("*"),
  /// `/`
  DIVIDE("/"),
  /// The function `mod`.
  REMAINDER("%");

  private final String symbol;

  ArithmeticOperator(String symbol) {
    this.symbol = symbol;
  }

  /// Whether a right side of zero has no result.
  boolean divides() {
    return this == DIVIDE || this == REMAINDER;
  }

  /// How it is written.
  public String symbol() {
    return symbol;
  }
}
