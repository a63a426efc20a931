package io.varve.query.internal.parse;

import io.varve.query.internal.expr.AggregateFunction;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Expressions;
import io.varve.query.internal.expr.Function;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which numbers an expression makes, and which of its literals and parameters are decimal numbers
/// for that: `price * 1.1` is one where `price` is a `BigDecimal`, as in SQL.
final class NumberTypes {
  /// What is known of the numbers of an expression.
  enum Kind {
    /// Integers and null, which go with all others.
    INTEGER,
    /// Fractions of literals and parameters: decimal numbers if they meet one, or else doubles.
    FRACTION,
    /// Values of `BigDecimal`.
    DECIMAL,
    /// Doubles, other values, and those of mixed types.
    OTHER;

    /// What an operator makes of two.
    private Kind with(Kind other) {
      return compareTo(other) >= 0 ? this : other;
    }
  }

  private static final Set<Class<?>> INTEGERS =
      Set.of(Byte.class, Short.class, Integer.class, Long.class, BigInteger.class);

  private NumberTypes() {}

  static Kind of(Expression expression) {
    return switch (expression) {
      case Expression.Literal(Double _) -> Kind.FRACTION;
      case Expression.Literal(Number number) -> of(number.getClass());
      case Expression.Literal(var value) when value == null -> Kind.INTEGER;
      case Expression.Parameter(_, var type) when type == Object.class -> Kind.FRACTION;
      case Expression.Arithmetic(_, var left, var right) -> of(left).with(of(right));
      case Expression.Negate(var value) -> of(value);
      case Expression.Call(var function, var arguments) -> of(function, arguments);
      case Expression.Aggregate(var function, _, var argument) -> of(function, argument);
      default -> of(Types.of(expression));
    };
  }

  private static Kind of(AggregateFunction function, @Nullable Expression argument) {
    return switch (function) {
      case COUNT -> Kind.INTEGER;
      case SUM, MIN, MAX -> {
        Kind kind = argument == null ? Kind.OTHER : of(argument);
        yield kind == Kind.FRACTION ? Kind.OTHER : kind;
      }
      case AVG -> Kind.OTHER;
    };
  }

  private static Kind of(Function function, List<Expression> arguments) {
    return switch (function) {
      case ABS, CEILING, FLOOR, ROUND -> of(arguments.getFirst());
      case MOD, COALESCE, NULLIF -> of(arguments);
      case SIGN, LENGTH, LOCATE, SIZE, TO_INTEGER -> Kind.INTEGER;
      case YEAR, QUARTER, MONTH, WEEK, DAY, HOUR, MINUTE -> Kind.INTEGER;
      default -> Kind.OTHER;
    };
  }

  private static Kind of(List<Expression> expressions) {
    return expressions.stream().map(NumberTypes::of).reduce(Kind.INTEGER, Kind::with);
  }

  private static Kind of(Class<?> type) {
    return INTEGERS.contains(type)
        ? Kind.INTEGER
        : type == BigDecimal.class ? Kind.DECIMAL : Kind.OTHER;
  }

  /// Values that one operator takes: fractions are decimal numbers if one of the values is.
  static List<Expression> alike(List<Expression> values) {
    return of(values) == Kind.DECIMAL ? values.stream().map(NumberTypes::decimal).toList() : values;
  }

  /// An expression whose fractions are decimal numbers, if it has no other values.
  static Expression decimal(Expression expression) {
    return of(expression) == Kind.FRACTION ? replaced(expression) : expression;
  }

  /// A value, and those that it is compared with. Decimal numbers that are calculated with
  /// fractions are doubles in it where they may meet a double.
  static List<Expression> compared(Expression value, List<Expression> others) {
    if (of(value) == Kind.OTHER) {
      return with(value, others.stream().map(other -> hasFraction(other) ? nearest(other) : other));
    }
    return hasFraction(value) && others.stream().anyMatch(other -> of(other) == Kind.OTHER)
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
          of(expression) == Kind.DECIMAL
              && Expressions.contains(expression, NumberTypes::isDecimalConstant);
      default -> false;
    };
  }

  private static boolean isDecimalConstant(Expression expression) {
    return expression instanceof Expression.Literal(BigDecimal _)
        || expression instanceof Expression.Parameter(_, var type) && type == BigDecimal.class;
  }

  /// The nearest double of a decimal number; other numbers stay as they are.
  private static Expression nearest(Expression expression) {
    return switch (expression) {
      case Expression.Literal(BigDecimal value) -> new Expression.Literal(value.doubleValue());
      case Expression.Parameter(var name, var type) when type == BigDecimal.class ->
          new Expression.Parameter(name, Double.class);
      default ->
          of(expression) == Kind.DECIMAL
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
