package io.varve.query.internal.parse;

import io.varve.query.internal.expr.Conversion;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Function;
import io.varve.query.internal.expr.Numbers;
import io.varve.query.internal.grammar.QueryParser;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/// Reads literals, and converts them to the types that they are compared with.
final class Literals {
  private Literals() {}

  static Expression.Literal read(QueryParser.LiteralContext literal) {
    Token token = literal.getStart();
    String text = token.getText();
    @Nullable Object value =
        switch (token.getType()) {
          case QueryParser.STRING -> text.substring(1, text.length() - 1).replace("''", "'");
          case QueryParser.INTEGER -> integer(token);
          case QueryParser.DECIMAL -> decimal(token);
          case QueryParser.TRUE -> true;
          case QueryParser.FALSE -> false;
          default -> null;
        };
    return new Expression.Literal(value);
  }

  /// A whole number: what a long does not hold is a decimal number.
  static Number integer(Token token) {
    String digits = token.getText().toLowerCase(Locale.ROOT).replace("l", "").replace("bi", "");
    if (digits.length() > Numbers.DIGITS_MAX) {
      throw outOfRange(token);
    }
    return Numbers.normal((Number) new BigInteger(digits));
  }

  /// A number with a fraction is a `Double` if that is how one is written, else a decimal number.
  private static Number decimal(Token token) {
    String text = token.getText().toLowerCase(Locale.ROOT);
    if (text.endsWith("bd")) {
      return exact(token, text.substring(0, text.length() - 2));
    }
    if (text.endsWith("f")) {
      return Float.valueOf(text);
    }
    if (text.endsWith("d")) {
      return Double.valueOf(text);
    }
    double nearest = Double.parseDouble(text);
    BigDecimal exact = exact(token, text);
    return Double.isFinite(nearest) && BigDecimal.valueOf(nearest).compareTo(exact) == 0
        ? (Number) nearest
        : exact;
  }

  private static BigDecimal exact(Token token, String text) {
    BigDecimal exact;
    try {
      exact = new BigDecimal(text);
    } catch (NumberFormatException _) {
      throw outOfRange(token); // the exponent has too many digits
    }
    if (Math.abs((long) exact.scale()) > Numbers.DIGITS_MAX
        || exact.precision() > Numbers.DIGITS_MAX) {
      throw outOfRange(token);
    }
    return exact;
  }

  private static RuntimeException outOfRange(Token token) {
    return Problems.at(
        token, "a number is out of range", "at most " + Numbers.DIGITS_MAX + " digits");
  }

  /// An expression with its literals, its parameter, or the time that it is, of the type of what it
  /// is compared with.
  static Expression converted(Expression expression, Class<?> type, ParserRuleContext part) {
    if (type == Object.class) {
      return expression;
    }
    return switch (expression) {
      case Expression.Literal(var value) when value != null ->
          new Expression.Literal(converted(value, type, part));
      case Expression.Parameter(var name, var of) when of == Object.class ->
          new Expression.Parameter(name, type);
      case Expression.Case choice when isTime(type) ->
          choice.withValues(value -> convertedOneOf(value, type, part));
      case Expression.Call(var function, var arguments)
          when isTime(type) && (function == Function.COALESCE || function == Function.NULLIF) ->
          new Expression.Call(
              function,
              arguments.stream().map(value -> convertedOneOf(value, type, part)).toList());
      default ->
          type == BigDecimal.class
              ? NumberTypes.decimal(expression)
              : TimeTypes.as(type, expression);
    };
  }

  /// A text among the values of a choice is that of a time if it meets one. It may be none of an
  /// enum or a number that it meets: the choice may have it for what is neither.
  private static boolean isTime(Class<?> type) {
    return Types.time(List.of(type)) != Object.class;
  }

  /// A value of several. A number stays one: its text in the query is not that of the part.
  private static Expression convertedOneOf(
      Expression value, Class<?> type, ParserRuleContext part) {
    return value instanceof Expression.Literal(Number _) ? value : converted(value, type, part);
  }

  private static Object converted(Object value, Class<?> type, ParserRuleContext part) {
    if (type == String.class && value instanceof Number) {
      return part.getText();
    }
    try {
      return Conversion.convert(type, value);
    } catch (IllegalArgumentException e) {
      throw Problems.at(part, String.valueOf(e.getMessage()), Conversion.name(type), e);
    }
  }
}
