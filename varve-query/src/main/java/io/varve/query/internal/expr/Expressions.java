package io.varve.query.internal.expr;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Takes expressions apart and makes others of them.
public final class Expressions {
  private Expressions() {}

  /// All of some conditions, without `and` inside of `and`.
  public static Expression and(List<Expression> conditions) {
    List<Expression> all = new ArrayList<>();
    for (Expression condition : conditions) {
      if (condition instanceof Expression.And and) {
        all.addAll(and.conditions());
      } else {
        all.add(condition);
      }
    }
    return all.isEmpty()
        ? Expression.Literal.TRUE
        : all.size() == 1 ? all.getFirst() : new Expression.And(List.copyOf(all));
  }

  /// One of some conditions, without `or` inside of `or`.
  public static Expression or(List<Expression> conditions) {
    List<Expression> all = new ArrayList<>();
    for (Expression condition : conditions) {
      if (condition instanceof Expression.Or or) {
        all.addAll(or.conditions());
      } else {
        all.add(condition);
      }
    }
    return all.size() == 1 ? all.getFirst() : new Expression.Or(List.copyOf(all));
  }

  /// The conditions that must all be true for one to be.
  public static List<Expression> conjuncts(Expression condition) {
    if (condition.equals(Expression.Literal.TRUE)) {
      return List.of();
    }
    return condition instanceof Expression.And and ? and.conditions() : List.of(condition);
  }

  /// The direct parts of an expression.
  public static List<Expression> parts(Expression expression) {
    List<Expression> parts = new ArrayList<>();
    map(
        expression,
        part -> {
          parts.add(part);
          return part;
        });
    return parts;
  }

  /// Whether something is true of an expression or one of its parts, at any depth.
  public static boolean contains(
      Expression expression, java.util.function.Predicate<Expression> test) {
    if (test.test(expression)) {
      return true;
    }
    for (Expression part : parts(expression)) {
      if (contains(part, test)) {
        return true;
      }
    }
    return false;
  }

  /// The expression with each part, at any depth, replaced by what a function makes of it; null
  /// leaves a part as it is, and looks at its own parts.
  public static Expression replace(
      Expression expression, java.util.function.Function<Expression, @Nullable Expression> by) {
    Expression other = by.apply(expression);
    return other != null ? other : map(expression, part -> replace(part, by));
  }

  /// The expression with its direct parts replaced; itself, if none changes.
  public static Expression map(Expression expression, UnaryOperator<Expression> by) {
    return switch (expression) {
      case Expression.Literal _,
          Expression.Parameter _,
          Expression.Path _,
          Expression.KeyPath _,
          Expression.Self _,
          Expression.Slot _ ->
          expression;
      case Expression.Arithmetic(var operator, var left, var right) ->
          new Expression.Arithmetic(operator, by.apply(left), by.apply(right));
      case Expression.Negate(var value) -> new Expression.Negate(by.apply(value));
      case Expression.Concat(var left, var right) ->
          new Expression.Concat(by.apply(left), by.apply(right));
      case Expression.Call(var function, var arguments) ->
          new Expression.Call(function, map(arguments, by));
      case Expression.Case(var branches, var otherwise) -> {
        List<Expression.When> mapped = new ArrayList<>(branches.size());
        for (Expression.When branch : branches) {
          mapped.add(new Expression.When(by.apply(branch.condition()), by.apply(branch.value())));
        }
        yield new Expression.Case(mapped, by.apply(otherwise));
      }
      case Expression.Aggregate(var function, var isDistinct, var argument) ->
          new Expression.Aggregate(
              function, isDistinct, argument == null ? null : by.apply(argument));
      default -> mapCondition(expression, by);
    };
  }

  private static Expression mapCondition(Expression expression, UnaryOperator<Expression> by) {
    return switch (expression) {
      case Expression.Compare(var comparison, var left, var right) ->
          new Expression.Compare(comparison, by.apply(left), by.apply(right));
      case Expression.Between(var value, var low, var high) ->
          new Expression.Between(by.apply(value), by.apply(low), by.apply(high));
      case Expression.In in -> mapIn(in, by);
      case Expression.Like(var value, var pattern, var escape) ->
          new Expression.Like(
              by.apply(value), by.apply(pattern), escape == null ? null : by.apply(escape));
      case Expression.IsNull(var value) -> new Expression.IsNull(by.apply(value));
      case Expression.IsEmpty(var collection) -> new Expression.IsEmpty(by.apply(collection));
      case Expression.Not(var condition) -> new Expression.Not(by.apply(condition));
      case Expression.And(var conditions) -> new Expression.And(map(conditions, by));
      case Expression.Or(var conditions) -> new Expression.Or(map(conditions, by));
      case Expression.MemberOf(var value, var collection) ->
          new Expression.MemberOf(by.apply(value), by.apply(collection));
      case Expression.Exists(var element, var collection, var condition) ->
          new Expression.Exists(element, by.apply(collection), by.apply(condition));
      default -> throw new IllegalStateException("unknown expression: " + expression.getClass());
    };
  }

  /// Keeps the constants where no item changes: they are many where it matters.
  private static Expression mapIn(Expression.In in, UnaryOperator<Expression> by) {
    Expression value = by.apply(in.value());
    List<Expression> items = map(in.items(), by);
    return items.equals(in.items())
        ? new Expression.In(value, items, in.constants())
        : new Expression.In(value, items);
  }

  private static List<Expression> map(List<Expression> expressions, UnaryOperator<Expression> by) {
    List<Expression> mapped = new ArrayList<>(expressions.size());
    for (Expression expression : expressions) {
      mapped.add(by.apply(expression));
    }
    return mapped;
  }

  /// The expression with values for its parameters, converted to the types that they are compared
  /// with.
  ///
  /// @throws IllegalArgumentException if a parameter has no value, or one of another type
  public static Expression bind(Expression expression, Binding binding) {
    return contains(expression, part -> part instanceof Expression.Parameter)
        ? replace(
            expression,
            part ->
                part instanceof Expression.Parameter parameter
                    ? new Expression.Literal(binding.value(parameter))
                    : null)
        : expression;
  }

  /// An expression as a text like that of a query, for people; values are left out.
  public static String text(Expression expression) {
    return ExpressionText.of(expression);
  }
}
