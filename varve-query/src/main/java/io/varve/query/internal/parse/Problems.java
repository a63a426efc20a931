package io.varve.query.internal.parse;

import io.varve.query.QueryException;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.Interval;
import org.jspecify.annotations.Nullable;

/// Makes the errors of texts, with their positions.
final class Problems {
  /// How much of a long token an error shows.
  private static final int FOUND_LENGTH_MAX = 40;

  private Problems() {}

  static QueryException at(Token token, String problem, String expected) {
    return at(token, problem, expected, null);
  }

  static QueryException at(
      Token token, String problem, String expected, @Nullable Throwable cause) {
    return new QueryException(
        problem,
        token.getLine(),
        token.getCharPositionInLine() + 1,
        token.getType() == Token.EOF ? "end of the query" : shortened(token.getText()),
        expected,
        cause);
  }

  /// An error of a part of several tokens, at its first token.
  static QueryException at(
      ParserRuleContext part, String problem, String expected, @Nullable Throwable cause) {
    return new QueryException(
        problem,
        part.getStart().getLine(),
        part.getStart().getCharPositionInLine() + 1,
        shortened(written(part)),
        expected,
        cause);
  }

  static QueryException at(ParserRuleContext part, String problem, String expected) {
    return at(part, problem, expected, null);
  }

  /// The text of a part, with its blanks.
  static String written(ParserRuleContext part) {
    return part.getStart()
        .getInputStream()
        .getText(Interval.of(part.getStart().getStartIndex(), part.getStop().getStopIndex()));
  }

  private static String shortened(String text) {
    return text.length() <= FOUND_LENGTH_MAX
        ? text
        : text.substring(0, text.offsetByCodePoints(0, FOUND_LENGTH_MAX / 2)) + "...";
  }
}
