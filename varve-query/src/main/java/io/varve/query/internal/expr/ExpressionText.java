package io.varve.query.internal.expr;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Writes expressions as a query would, without the values in them, which are user data.
final class ExpressionText {
  private ExpressionText() {}

  static String of(Expression expression) {
    return switch (expression) {
      case Expression.Literal(var value) ->
          value == null ? "null" : value instanceof Boolean truth ? truth.toString() : "?";
      case Expression.Parameter parameter -> ":" + parameter.name();
      case Expression.Path path -> path.attribute().path();
      case Expression.KeyPath _ -> "id(this)";
      case Expression.Self _ -> "this";
      case Expression.Slot slot -> "#" + slot.index();
      case Expression.Arithmetic(var operator, var left, var right) ->
          "(" + of(left) + " " + operator.symbol() + " " + of(right) + ")";
      case Expression.Negate(var value) -> "-" + of(value);
      case Expression.Concat(var left, var right) -> "(" + of(left) + " || " + of(right) + ")";
      case Expression.Call(var function, var arguments) ->
          function.text() + "(" + list(arguments, ", ") + ")";
      case Expression.Case choice -> choice(choice);
      case Expression.Aggregate(var function, var isDistinct, var argument) ->
          function.name().toLowerCase(Locale.ROOT)
              + "("
              + (isDistinct ? "distinct " : "")
              + (argument == null ? "*" : of(argument))
              + ")";
      default -> condition(expression);
    };
  }

  private static String choice(Expression.Case choice) {
    return choice.branches().stream()
        .map(branch -> " when " + of(branch.condition()) + " then " + of(branch.value()))
        .collect(Collectors.joining("", "case", " else " + of(choice.otherwise()) + " end"));
  }

  private static String condition(Expression expression) {
    return switch (expression) {
      case Expression.Compare(var comparison, var left, var right) ->
          of(left) + " " + comparison.symbol() + " " + of(right);
      case Expression.Between(var value, var low, var high) ->
          of(value) + " between " + of(low) + " and " + of(high);
      case Expression.In(var value, var items, _) -> of(value) + " in (" + list(items, ", ") + ")";
      case Expression.Like(var value, var pattern, var escape) ->
          of(value) + " like " + of(pattern) + (escape == null ? "" : " escape " + of(escape));
      case Expression.IsNull(var value) -> of(value) + " is null";
      case Expression.IsEmpty(var collection) -> of(collection) + " is empty";
      case Expression.Not(var condition) -> "not (" + of(condition) + ")";
      case Expression.And(var conditions) -> "(" + list(conditions, " and ") + ")";
      case Expression.Or(var conditions) -> "(" + list(conditions, " or ") + ")";
      case Expression.MemberOf(var value, var collection) ->
          of(value) + " member of " + of(collection);
      case Expression.Exists(_, var collection, var condition) ->
          "exists (from " + of(collection) + " where " + of(condition) + ")";
      default -> throw new IllegalStateException("unknown expression: " + expression.getClass());
    };
  }

  private static String list(List<Expression> expressions, String separator) {
    return expressions.stream().map(ExpressionText::of).collect(Collectors.joining(separator));
  }
}
