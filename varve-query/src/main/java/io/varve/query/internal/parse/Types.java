package io.varve.query.internal.parse;

import io.varve.query.internal.expr.AggregateFunction;
import io.varve.query.internal.expr.Conversion;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Function;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which type of values an expression has, as far as texts are converted to it, and which numbers
/// it makes.
final class Types {
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

  private Types() {}

  /// The type, or `Object` if it is not known.
  static Class<?> of(Expression expression) {
    return switch (expression) {
      case Expression.Path path -> path.attribute().type();
      case Expression.KeyPath key -> key.type();
      case Expression.Parameter parameter -> parameter.type();
      case Expression.Concat _ -> String.class;
      case Expression.Call call -> of(call);
      case Expression.Aggregate aggregate -> of(aggregate);
      case Expression.Arithmetic _, Expression.Negate _ -> ofNumbers(expression);
      case Expression.Case choice -> of(choice.branches().getFirst().value());
      default -> Object.class;
    };
  }

  /// Whether it is a point in time, or a sum or difference with one.
  static boolean holdsPoint(Expression expression) {
    return expression instanceof Expression.Arithmetic(_, var left, var right)
        ? holdsPoint(left) || holdsPoint(right)
        : Conversion.isInstant(of(expression));
  }

  private static Class<?> of(Expression.Aggregate aggregate) {
    boolean keepsType =
        aggregate.function() == AggregateFunction.MIN
            || aggregate.function() == AggregateFunction.MAX;
    return keepsType && aggregate.argument() != null
        ? of(aggregate.argument())
        : ofNumbers(aggregate);
  }

  /// Integers and doubles have no type here: they compare as they are with each number.
  private static Class<?> ofNumbers(Expression expression) {
    return kind(expression) == Kind.DECIMAL ? BigDecimal.class : Object.class;
  }

  private static Class<?> of(Expression.Call call) {
    return switch (call.function()) {
      case DATE -> LocalDate.class;
      case TIME -> LocalTime.class;
      case LOWER, UPPER, LEFT, RIGHT, SUBSTRING, REPLACE, CONCAT -> String.class;
      case TRIM, TRIM_LEADING, TRIM_TRAILING, TO_STRING -> String.class;
      case COALESCE, NULLIF -> of(call.arguments().getFirst());
      default -> ofNumbers(call);
    };
  }

  /// Which numbers an expression makes.
  static Kind kind(Expression expression) {
    return switch (expression) {
      case Expression.Literal(Double _) -> Kind.FRACTION;
      case Expression.Literal(Number number) -> kind(number.getClass());
      case Expression.Literal(var value) when value == null -> Kind.INTEGER;
      case Expression.Parameter(_, var type) when type == Object.class -> Kind.FRACTION;
      case Expression.Arithmetic(_, var left, var right) -> kind(left).with(kind(right));
      case Expression.Negate(var value) -> kind(value);
      case Expression.Call(var function, var arguments) -> kind(function, arguments);
      case Expression.Aggregate(var function, _, var argument) -> kind(function, argument);
      default -> kind(of(expression));
    };
  }

  private static Kind kind(AggregateFunction function, @Nullable Expression argument) {
    return switch (function) {
      case COUNT -> Kind.INTEGER;
      case SUM, MIN, MAX -> {
        Kind kind = argument == null ? Kind.OTHER : kind(argument);
        yield kind == Kind.FRACTION ? Kind.OTHER : kind;
      }
      case AVG -> Kind.OTHER;
    };
  }

  private static Kind kind(Function function, List<Expression> arguments) {
    return switch (function) {
      case ABS, CEILING, FLOOR, ROUND -> kind(arguments.getFirst());
      case MOD, COALESCE, NULLIF -> kind(arguments);
      case SIGN, LENGTH, LOCATE, SIZE, TO_INTEGER -> Kind.INTEGER;
      case YEAR, QUARTER, MONTH, WEEK, DAY, HOUR, MINUTE -> Kind.INTEGER;
      default -> Kind.OTHER;
    };
  }

  /// Which numbers an operator makes of some.
  static Kind kind(List<Expression> expressions) {
    return expressions.stream().map(Types::kind).reduce(Kind.INTEGER, Kind::with);
  }

  private static Kind kind(Class<?> type) {
    return INTEGERS.contains(type)
        ? Kind.INTEGER
        : type == BigDecimal.class ? Kind.DECIMAL : Kind.OTHER;
  }
}
