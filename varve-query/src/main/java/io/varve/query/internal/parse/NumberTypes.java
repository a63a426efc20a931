package io.varve.query.internal.parse;

import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Expressions;
import io.varve.query.internal.expr.Function;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;

/// Which literals and parameters of an expression are decimal numbers: `1.1` is one in `price *
/// 1.1` where `price` is a `BigDecimal`, as in SQL.
final class NumberTypes {
  private NumberTypes() {}

  /// Values that one operator takes: fractions are decimal numbers if one of the values is.
  static List<Expression> alike(List<Expression> values) {
    return Types.kind(values) == Types.Kind.DECIMAL
        ? values.stream().map(NumberTypes::decimal).toList()
        : values;
  }

  /// An expression whose fractions are decimal numbers, if it has no other values.
  static Expression decimal(Expression expression) {
    return Types.kind(expression) == Types.Kind.FRACTION ? replaced(expression) : expression;
  }

  /// A value, and those that it is compared with. Decimal numbers that are calculated with
  /// fractions are doubles in it where they may meet a double.
  static List<Expression> compared(Expression value, List<Expression> others) {
    if (Types.kind(value) == Types.Kind.OTHER) {
      return with(value, others.stream().map(other -> hasFraction(other) ? nearest(other) : other));
    }
    return hasFraction(value)
            && others.stream().anyMatch(other -> Types.kind(other) == Types.Kind.OTHER)
        ? with(nearest(value), others.stream().map(NumberTypes::nearest))
        : with(value, others.stream());
  }

  private static List<Expression> with(Expression value, Stream<Expression> others) {
    return Stream.concat(Stream.of(value), others).toList();
  }

  /// Whether an expression makes decimal numbers of fractions and attributes. A value as it is
  /// stored is none: it compares exactly.
  private static boolean hasFraction(Expression expression) {
    return switch (expression) {
      case Expression.Arithmetic _,
          Expression.Negate _,
          Expression.Call _,
          Expression.Aggregate _ ->
          Types.kind(expression) == Types.Kind.DECIMAL
              && Expressions.contains(expression, NumberTypes::isDecimalConstant);
      default -> false;
    };
  }

  private static boolean isDecimalConstant(Expression expression) {
    return expression instanceof Expression.Literal(BigDecimal _)
        || (expression instanceof Expression.Parameter(_, var type) && type == BigDecimal.class);
  }

  /// The nearest double of a decimal number; other numbers stay as they are.
  private static Expression nearest(Expression expression) {
    return switch (expression) {
      case Expression.Literal(BigDecimal value) -> new Expression.Literal(value.doubleValue());
      case Expression.Parameter(var name, var type) when type == BigDecimal.class ->
          new Expression.Parameter(name, Double.class);
      default ->
          Types.kind(expression) == Types.Kind.DECIMAL
              ? new Expression.Call(Function.TO_DOUBLE, List.of(expression))
              : expression;
    };
  }

  private static Expression replaced(Expression fraction) {
    return switch (fraction) {
      case Expression.Literal(Double value) -> new Expression.Literal(BigDecimal.valueOf(value));
      case Expression.Parameter(var name, var type) when type == Object.class ->
          new Expression.Parameter(name, BigDecimal.class);
      case Expression.Arithmetic _, Expression.Negate _, Expression.Call _ ->
          Expressions.map(fraction, NumberTypes::decimal);
      default -> fraction;
    };
  }
}
