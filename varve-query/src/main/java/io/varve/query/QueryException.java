package io.varve.query;

import org.jspecify.annotations.Nullable;

/// A query is not understood: where, what was found there, and what was expected.
///
/// @since 1.0
public final class QueryException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final int line;
  private final int column;
  private final String found;
  private final String expected;

  /// Makes the refusal.
  ///
  /// @param problem what is wrong, in words
  /// @param line of the text, from 1
  /// @param column of the line, from 1
  /// @param found what is there
  /// @param expected what could be there, or empty
  public QueryException(
      String problem,
      int line,
      int column,
      String found,
      String expected,
      @Nullable Throwable cause) {
    super(
        problem
            + ": line="
            + line
            + ", column="
            + column
            + ", found="
            + found
            + (expected.isEmpty() ? "" : ", expected=" + expected),
        cause);
    this.line = line;
    this.column = column;
    this.found = found;
    this.expected = expected;
  }

  /// The line of the text, from 1.
  public int line() {
    return line;
  }

  /// The column of the line, from 1.
  public int column() {
    return column;
  }

  /// What is there.
  public String found() {
    return found;
  }

  /// What could be there, or what is nearest to it; empty if nothing can be named.
  public String expected() {
    return expected;
  }
}
