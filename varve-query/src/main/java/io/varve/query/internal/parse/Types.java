package io.varve.query.internal.parse;

import io.varve.query.internal.expr.AggregateFunction;
import io.varve.query.internal.expr.Expression;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalTime;

/// Which type of values an expression has, as far as texts are converted to it.
final class Types {
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
    return NumberTypes.of(expression) == NumberTypes.Kind.DECIMAL ? BigDecimal.class : Object.class;
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
}
