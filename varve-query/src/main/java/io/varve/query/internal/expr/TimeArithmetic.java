package io.varve.query.internal.expr;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.Temporal;
import org.jspecify.annotations.Nullable;

/// Operators between values in their normal form: numbers, and points in time with durations.
final class TimeArithmetic {
  private TimeArithmetic() {}

  /// What an operator makes of two values.
  ///
  /// @return null if a side is null, or for a division by zero
  /// @throws IllegalArgumentException if the types have no such operator
  static @Nullable Object calculate(
      ArithmeticOperator operator, @Nullable Object left, @Nullable Object right) {
    if (left == null || right == null) {
      return null;
    }
    if (left instanceof Number a && right instanceof Number b) {
      return Numbers.calculate(operator, a, b);
    }
    try {
      Object result = times(operator, left, right);
      if (result != null) {
        return result;
      }
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException("the result is no time: operator=" + operator.symbol(), e);
    }
    throw new IllegalArgumentException(
        "no such operator between these types: left="
            + left.getClass().getName()
            + ", operator="
            + operator.symbol()
            + ", right="
            + right.getClass().getName());
  }

  private static @Nullable Object times(ArithmeticOperator operator, Object left, Object right) {
    boolean adds = operator == ArithmeticOperator.ADD;
    boolean subtracts = operator == ArithmeticOperator.SUBTRACT;
    if (!adds && !subtracts) {
      return null;
    }
    if (left instanceof Duration a && right instanceof Duration b) {
      return adds ? a.plus(b) : a.minus(b);
    }
    if (left instanceof Temporal time && right instanceof Duration duration) {
      return adds ? time.plus(duration) : time.minus(duration);
    }
    if (adds && left instanceof Duration duration && right instanceof Temporal time) {
      return time.plus(duration);
    }
    if (subtracts && left.getClass() == right.getClass()) {
      return switch (left) {
        case Instant to -> Duration.between((Instant) right, to);
        case LocalDateTime to -> Duration.between((LocalDateTime) right, to);
        case LocalTime to -> Duration.between((LocalTime) right, to);
        case LocalDate to ->
            Duration.between(((LocalDate) right).atStartOfDay(), to.atStartOfDay());
        default -> null;
      };
    }
    return null;
  }
}
