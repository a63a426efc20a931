package io.varve.query.internal.parse;

import io.varve.query.internal.expr.ArithmeticOperator;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Function;
import io.varve.query.internal.expr.Now;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;

/// Which kind of time `local date` and `local datetime` are: points in time where they meet one,
/// and otherwise dates without a zone.
final class TimeTypes {
  private TimeTypes() {}

  /// An expression with the time that it is now as it meets times of a type.
  static Expression as(Class<?> type, Expression expression) {
    if (Types.time(expression) == type) {
      return expression; // its parts were alike when it was made
    }
    return switch (expression) {
      case Expression.Parameter parameter -> Now.comparedWith(type, parameter);
      case Expression.Arithmetic(var operator, var left, var right) when isTime(expression) ->
          new Expression.Arithmetic(operator, as(type, left), as(type, right));
      case Expression.Case choice -> choice.withValues(value -> as(type, value));
      case Expression.Call(var function, var arguments) when function == Function.COALESCE ->
          new Expression.Call(function, all(type, arguments));
      case Expression.Call(var function, var arguments) when function == Function.NULLIF ->
          new Expression.Call(function, all(type, arguments));
      case Expression.Aggregate(var function, var isDistinct, var argument)
          when argument != null && isTime(expression) ->
          new Expression.Aggregate(function, isDistinct, as(type, argument));
      case Expression.Literal(LocalDate date) when type == LocalDateTime.class ->
          new Expression.Literal(date.atStartOfDay());
      default -> type == LocalDateTime.class ? startOf(expression) : expression;
    };
  }

  /// A date as the date and time at which it begins, which is how SQL compares the two.
  private static Expression startOf(Expression expression) {
    return Types.time(expression) == LocalDate.class
        ? new Expression.Call(Function.START_OF_DAY, List.of(expression))
        : expression;
  }

  private static List<Expression> all(Class<?> type, List<Expression> values) {
    return values.stream().map(value -> as(type, value)).toList();
  }

  private static boolean isTime(Expression expression) {
    return Types.time(expression) != Object.class;
  }

  /// Values that meet: all are points in time if one of them is.
  static List<Expression> alike(List<Expression> values) {
    List<Class<?>> types = values.stream().<Class<?>>map(Types::time).toList();
    Class<?> type = Types.time(types);
    return types.stream().allMatch(type::equals) ? values : all(type, values);
  }

  /// The type of times that all values have: that of a point in time if one is, or else that of a
  /// date and time if one is. `Object` if one is no time; what has no type is left out.
  static Class<?> common(List<Expression> values) {
    List<Class<?>> types = values.stream().<Class<?>>map(Types::time).toList();
    boolean areTimes =
        values.stream().allMatch(value -> isTime(value) || Types.of(value) == Object.class);
    return areTimes || types.contains(Instant.class) ? Types.time(types) : Object.class;
  }

  /// The sides of an operator. A difference of two times needs two of one kind.
  static List<Expression> operands(ArithmeticOperator operator, Expression left, Expression right) {
    List<Expression> sides = List.of(left, right);
    return operator == ArithmeticOperator.SUBTRACT ? alike(sides) : sides;
  }

  /// A choice of values that are alike.
  static Expression.Case alike(Expression.Case choice) {
    Class<?> type = Types.time(choice);
    return type == Object.class ? choice : choice.withValues(value -> as(type, value));
  }

  /// A value and those that it is compared with. Where no zone makes it a point in time, nor a
  /// point a date, they become times of its kind.
  static List<Expression> compared(Expression of, List<Expression> others) {
    List<Expression> all = new ArrayList<>();
    all.add(of);
    all.addAll(isFixed(of) ? all(Types.time(of), others) : others);
    return isFixed(of) && !mayBegin(of, others) ? all : alike(all);
  }

  /// Whether a date meets dates and times, and no points in time, for which it has no zone.
  private static boolean mayBegin(Expression of, List<Expression> others) {
    return Types.time(of) == LocalDate.class && others.stream().noneMatch(Types::isPoint);
  }

  /// Values that one value is compared with, in groups of one kind of time each: one that may be
  /// either kind is compared with each group.
  static List<List<Expression>> kinds(Expression of, List<Expression> compared) {
    if (isFixed(of)) {
      return List.of(compared);
    }
    List<Expression> alike = alike(compared);
    List<Expression> points = alike.stream().filter(Types::isPoint).toList();
    List<Expression> others = alike.stream().filter(value -> !Types.isPoint(value)).toList();
    boolean areApart = !points.isEmpty() && others.stream().anyMatch(TimeTypes::isTime);
    return areApart ? List.of(points, others) : List.of(alike);
  }

  /// Whether a value is a point in time, and all others are dates, which have no zone; or the other
  /// way round. A date begins in no list that has a point.
  static boolean areApart(Expression value, List<Expression> others) {
    return isTime(value)
        && (others.stream().allMatch(other -> isApart(value, other))
            || (Types.time(value) == LocalDate.class && others.stream().anyMatch(Types::isPoint)));
  }

  private static boolean isApart(Expression value, Expression other) {
    return isTime(other) && Types.isPoint(other) != Types.isPoint(value);
  }

  private static boolean isFixed(Expression of) {
    return isTime(of) && (Types.isPoint(of) || !Types.isPoint(as(Instant.class, of)));
  }
}
