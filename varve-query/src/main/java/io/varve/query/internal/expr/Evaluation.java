package io.varve.query.internal.expr;

import io.varve.query.Values;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an expression is of a row. Its parameters are bound before.
///
/// Conditions have three values: a comparison with null is unknown, which is null here. `and` is
/// false where one side is false, `or` is true where one side is true, and otherwise unknown wins.
public final class Evaluation {
  private Evaluation() {}

  /// Whether a condition is true of a row, and neither false nor unknown.
  public static boolean isTrue(Expression condition, Scope row) {
    return Boolean.TRUE.equals(truth(condition, row));
  }

  /// What a condition is of a row: null is unknown.
  private static @Nullable Boolean truth(Expression condition, Scope row) {
    Object value = value(condition, row);
    return switch (value instanceof Boolean ? value : Values.normal(value)) {
      case null -> null;
      case Boolean truth -> truth;
      case Object other ->
          throw new IllegalArgumentException(
              "a condition is neither true nor false: type=" + other.getClass().getName());
    };
  }

  /// The value of an expression, as objects have it: not in its normal form.
  public static @Nullable Object value(Expression expression, Scope row) {
    return switch (expression) {
      case Expression.Literal literal -> literal.value();
      case Expression.Path path -> row.attribute(path.source(), path.attribute());
      case Expression.KeyPath key -> row.key(key.source());
      case Expression.Self self -> row.value(self.source());
      case Expression.Slot slot -> row.slot(slot.index());
      case Expression.Compare compare -> compare(compare, row);
      case Expression.And and -> and(and.conditions(), row);
      case Expression.Or or -> or(or.conditions(), row);
      case Expression.Not not -> not(truth(not.condition(), row));
      case Expression.Between between -> between(between, row);
      case Expression.In in -> in(in, row);
      case Expression.Like like -> like(like, row);
      case Expression.IsNull isNull -> Values.normal(value(isNull.value(), row)) == null;
      case Expression.IsEmpty isEmpty -> !elements(isEmpty.collection(), row).iterator().hasNext();
      case Expression.MemberOf memberOf -> memberOf(memberOf, row);
      case Expression.Exists exists -> exists(exists, row);
      case Expression.Arithmetic arithmetic ->
          TimeArithmetic.calculate(
              arithmetic.operator(),
              Values.normal(value(arithmetic.left(), row)),
              Values.normal(value(arithmetic.right(), row)));
      case Expression.Negate negate -> negate(Values.normal(value(negate.value(), row)));
      case Expression.Concat concat -> concat(concat, row);
      case Expression.Call call -> call(call, row);
      case Expression.Case choice -> choose(choice, row);
      case Expression.Parameter parameter ->
          throw new IllegalStateException("parameter without a value: name=" + parameter.name());
      case Expression.Aggregate aggregate ->
          throw new IllegalStateException("not a value of one row: " + aggregate.function());
    };
  }

  /// The elements of an attribute with many values, or of one whose value is a list.
  @SuppressWarnings("unchecked")
  public static Iterable<?> elements(Expression collection, Scope row) {
    Object value = value(collection, row);
    return switch (value) {
      case null -> List.of();
      case Collection<?> elements -> elements;
      case Iterable<?> elements
          when collection instanceof Expression.Path path && path.attribute().isMany() ->
          elements;
      default -> Values.normal(value) instanceof List<?> list ? list : List.of(value);
    };
  }

  private static @Nullable Boolean compare(Expression.Compare compare, Scope row) {
    return compare(compare.comparison(), value(compare.left(), row), value(compare.right(), row));
  }

  private static @Nullable Boolean compare(
      Comparison comparison, @Nullable Object left, @Nullable Object right) {
    Object a = Values.normal(left);
    Object b = Values.normal(right);
    return (a == null || b == null) ? null : comparison.holds(Values.compare(a, b));
  }

  private static @Nullable Boolean and(List<Expression> conditions, Scope row) {
    boolean isUnknown = false;
    for (Expression condition : conditions) {
      Boolean value = truth(condition, row);
      if (Boolean.FALSE.equals(value)) {
        return false;
      }
      isUnknown |= value == null;
    }
    return isUnknown ? null : true;
  }

  private static @Nullable Boolean or(List<Expression> conditions, Scope row) {
    boolean isUnknown = false;
    for (Expression condition : conditions) {
      Boolean value = truth(condition, row);
      if (Boolean.TRUE.equals(value)) {
        return true;
      }
      isUnknown |= value == null;
    }
    return isUnknown ? null : false;
  }

  private static @Nullable Boolean not(@Nullable Boolean condition) {
    return condition == null ? null : !condition;
  }

  private static @Nullable Boolean between(Expression.Between between, Scope row) {
    Object value = value(between.value(), row);
    Boolean fromLow = compare(Comparison.GREATER_OR_EQUAL, value, value(between.low(), row));
    Boolean toHigh = compare(Comparison.LESS_OR_EQUAL, value, value(between.high(), row));
    if (Boolean.FALSE.equals(fromLow) || Boolean.FALSE.equals(toHigh)) {
      return false;
    }
    return (fromLow == null || toHigh == null) ? null : true;
  }

  private static @Nullable Boolean in(Expression.In in, Scope row) {
    Object value = Values.normal(value(in.value(), row));
    ConstantSet constants = in.constants();
    if (constants != null) {
      return constants.has(value);
    }
    boolean isUnknown = false;
    for (Expression item : in.items()) {
      for (Object candidate : ConstantSet.elements(Values.normal(value(item, row)))) {
        if (value == null || candidate == null) {
          isUnknown = true;
        } else if (Values.compare(value, candidate) == 0) {
          return true;
        }
      }
    }
    return isUnknown ? null : false;
  }

  private static @Nullable Boolean like(Expression.Like like, Scope row) {
    Object value = Values.normal(value(like.value(), row));
    Object pattern = Values.normal(value(like.pattern(), row));
    Object escape = like.escape() == null ? "" : Values.normal(value(like.escape(), row));
    if (value == null || pattern == null || escape == null) {
      return null;
    }
    return new LikePattern(Functions.text(pattern), Functions.text(escape))
        .matches(Functions.text(value));
  }

  private static @Nullable Boolean memberOf(Expression.MemberOf memberOf, Scope row) {
    Object value = Values.normal(value(memberOf.value(), row));
    if (value == null) {
      return null;
    }
    for (Object element : elements(memberOf.collection(), row)) {
      if (Values.compare(value, element) == 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean exists(Expression.Exists exists, Scope row) {
    for (Object element : elements(exists.collection(), row)) {
      if (isTrue(exists.condition(), row.with(exists.element(), element))) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Object negate(@Nullable Object value) {
    return value == null ? null : Numbers.calculate(ArithmeticOperator.SUBTRACT, 0L, number(value));
  }

  private static Number number(Object value) {
    if (value instanceof Number number) {
      return number;
    }
    throw new IllegalArgumentException(
        "not a number: type=" + value.getClass().getName() + "; compare or convert it first");
  }

  /// Parts in a row are joined together: each pair of them would copy all that come before.
  private static @Nullable Object concat(Expression.Concat concat, Scope row) {
    List<Expression> parts = new ArrayList<>();
    Expression first = concat;
    while (first instanceof Expression.Concat(var left, var right)) {
      parts.add(right);
      first = left;
    }
    parts.add(first);
    List<Object> values = new ArrayList<>(parts.size());
    for (Expression part : parts.reversed()) {
      Object value = Values.normal(value(part, row));
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return Functions.concat(values);
  }

  private static @Nullable Object call(Expression.Call call, Scope row) {
    List<@Nullable Object> arguments = new ArrayList<>(call.arguments().size());
    for (Expression argument : call.arguments()) {
      arguments.add(
          call.function() == Function.SIZE
              ? elements(argument, row)
              : Values.normal(value(argument, row)));
    }
    return Functions.call(call.function(), arguments);
  }

  private static @Nullable Object choose(Expression.Case choice, Scope row) {
    for (Expression.When branch : choice.branches()) {
      if (isTrue(branch.condition(), row)) {
        return value(branch.value(), row);
      }
    }
    return value(choice.otherwise(), row);
  }
}
