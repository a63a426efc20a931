package io.varve.query.internal.expr;

/// The operators that compare two values.
public enum Comparison {
  /// `=`
  EQUAL("="),
  /// `<>`
  NOT_EQUAL("<>"),
  /// `<`
  LESS("<"),
  /// `<=`
  LESS_OR_EQUAL("<="),
  /// `>`
  GREATER(">"),
  /// `>=`
  GREATER_OR_EQUAL(">=");

  private final String symbol;

  Comparison(String symbol) {
    this.symbol = symbol;
  }

  /// How it is written.
  public String symbol() {
    return symbol;
  }

  /// Whether this is true of two values whose comparison gives `order`.
  public boolean holds(int order) {
    return switch (this) {
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      case GREATER_OR_EQUAL -> order >= 0;
    };
  }

  /// The comparison that is true with the sides exchanged.
  public Comparison mirrored() {
    return switch (this) {
      case EQUAL -> EQUAL;
      case NOT_EQUAL -> NOT_EQUAL;
      case LESS -> GREATER;
      case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
      case GREATER -> LESS;
      case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
    };
  }
}
