package io.varve.query.internal.parse;

import io.varve.query.internal.expr.AggregateFunction;
import io.varve.query.internal.expr.ArithmeticOperator;
import io.varve.query.internal.expr.Conversion;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Function;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.BooleanNode;

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
      case Expression.Self self -> self.type();
      case Expression.Parameter parameter -> parameter.type();
      case Expression.Concat _ -> String.class;
      case Expression.Call call -> of(call);
      case Expression.Aggregate aggregate -> of(aggregate);
      case Expression.Arithmetic _ -> timeOr(expression, ofNumbers(expression));
      case Expression.Negate _ -> ofNumbers(expression);
      case Expression.Case choice -> timeOr(choice, of(choice.branches().getFirst().value()));
      default -> Object.class;
    };
  }

  /// Whether it may have a truth, as a condition does. A value of any other type has none, and
  /// neither has one of several values that may be such.
  static boolean mayBeTrue(Expression expression) {
    return switch (expression) {
      case Expression.Literal(var value) -> value == null || value instanceof Boolean;
      case Expression.Path(_, var attribute) -> !attribute.isMany() && mayBeTruth(attribute.type());
      case Expression.KeyPath _, Expression.Self _, Expression.Parameter _ ->
          mayBeTruth(of(expression));
      case Expression.Concat _, Expression.Arithmetic _, Expression.Negate _ -> false;
      case Expression.Case choice -> choice.values().stream().allMatch(Types::mayBeTrue);
      case Expression.Call(var function, var arguments) ->
          switch (function) {
            case COALESCE -> arguments.stream().allMatch(Types::mayBeTrue);
            case NULLIF -> mayBeTrue(arguments.getFirst());
            default -> false;
          };
      case Expression.Aggregate(var function, _, var argument) ->
          keepsType(function) && argument != null && mayBeTrue(argument);
      default -> true; // conditions themselves
    };
  }

  private static boolean mayBeTruth(Class<?> type) {
    return type == boolean.class
        || type == Optional.class
        || type.isAssignableFrom(Boolean.class)
        || type.isAssignableFrom(BooleanNode.class);
  }

  private static Class<?> timeOr(Expression expression, Class<?> other) {
    Class<?> time = time(expression);
    return time == Object.class ? other : time;
  }

  /// Whether it is a point in time.
  static boolean isPoint(Expression expression) {
    return Conversion.isInstant(time(expression));
  }

  /// The type of a time that has a date: of a sum too, and of one of several values that of all.
  /// `Object` if it is none, as the difference of two such. Looks at each part once.
  static Class<?> time(Expression expression) {
    return switch (expression) {
      case Expression.Arithmetic(var operator, var left, var right) -> {
        Class<?> subtracted = time(right);
        boolean isDifference =
            operator == ArithmeticOperator.SUBTRACT && subtracted != Object.class;
        yield isDifference ? Object.class : time(List.of(time(left), subtracted));
      }
      case Expression.Case choice ->
          time(choice.values().stream().<Class<?>>map(Types::time).toList());
      case Expression.Call(var function, var arguments) ->
          switch (function) {
            case DATE -> LocalDate.class;
            case START_OF_DAY -> LocalDateTime.class;
            case COALESCE -> time(arguments.stream().<Class<?>>map(Types::time).toList());
            case NULLIF -> time(arguments.getFirst());
            default -> Object.class;
          };
      case Expression.Aggregate(var function, _, var argument) ->
          keepsType(function) && argument != null ? time(argument) : Object.class;
      case Expression.Path _, Expression.KeyPath _, Expression.Self _, Expression.Parameter _ ->
          time(List.of(of(expression)));
      default -> Object.class;
    };
  }

  /// The type that times have in common: `Instant` if one of them is a point in time, or else the
  /// most exact one.
  static Class<?> time(List<Class<?>> types) {
    return types.stream().anyMatch(Conversion::isInstant)
        ? Instant.class
        : types.contains(LocalDateTime.class)
            ? LocalDateTime.class
            : types.contains(LocalDate.class) ? LocalDate.class : Object.class;
  }

  private static boolean keepsType(AggregateFunction function) {
    return function == AggregateFunction.MIN || function == AggregateFunction.MAX;
  }

  private static Class<?> of(Expression.Aggregate aggregate) {
    return keepsType(aggregate.function()) && aggregate.argument() != null
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
      case START_OF_DAY -> LocalDateTime.class;
      case TIME -> LocalTime.class;
      case LOWER, UPPER, LEFT, RIGHT, SUBSTRING, REPLACE, CONCAT -> String.class;
      case TRIM, TRIM_LEADING, TRIM_TRAILING, TO_STRING -> String.class;
      case COALESCE, NULLIF -> timeOr(call, of(call.arguments().getFirst()));
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
