package io.varve.query.internal.expr;

import io.varve.query.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Many equalities of one attribute that are joined by `or`, as one `in`, and many inequalities
/// that are joined by `and`, as its opposite: a row looks its value up then, and is not compared
/// with each. The condition is true, false or unknown as before.
public final class Alternatives {
  /// Fewer are compared as fast, and stay as they were written.
  private static final int EQUALITIES_MIN = 8;

  private Alternatives() {}

  /// A condition that an attribute or a key equals a value, or does not.
  private record Equality(Expression condition, Expression subject, Expression value) {}

  /// The condition with such equalities joined, at any depth; itself if there are none.
  public static Expression joined(Expression condition) {
    return switch (condition) {
      case Expression.And(var conditions) -> joined(each(conditions), false);
      case Expression.Or(var conditions) -> joined(each(conditions), true);
      case Expression.Not(var inner) -> new Expression.Not(joined(inner));
      default -> condition;
    };
  }

  private static List<Expression> each(List<Expression> conditions) {
    List<Expression> joined = new ArrayList<>(conditions.size());
    for (Expression condition : conditions) {
      joined.add(joined(condition));
    }
    return joined;
  }

  /// @param isAny whether one of the conditions has to be true, or each
  private static Expression joined(List<Expression> conditions, boolean isAny) {
    List<Expression> all =
        conditions.size() < EQUALITIES_MIN ? conditions : fewer(conditions, isAny);
    return isAny ? Expressions.or(all) : Expressions.and(all);
  }

  private static List<Expression> fewer(List<Expression> conditions, boolean isAny) {
    List<Expression> others = new ArrayList<>();
    Map<Expression, List<Equality>> equalities = new LinkedHashMap<>();
    for (Expression condition : conditions) {
      Equality equality = equality(condition, isAny);
      if (equality == null) {
        others.add(condition);
      } else {
        equalities.computeIfAbsent(equality.subject(), _ -> new ArrayList<>()).add(equality);
      }
    }
    List<Expression> all = new ArrayList<>();
    equalities.forEach((subject, ofSubject) -> {
      if (ofSubject.size() < EQUALITIES_MIN) {
        ofSubject.forEach(equality -> all.add(equality.condition()));
      } else {
        var one = new Expression.In(subject, ofSubject.stream().map(Equality::value).toList());
        all.add(isAny ? one : new Expression.Not(one));
      }
    });
    all.addAll(others);
    return all;
  }

  private static @Nullable Equality equality(Expression condition, boolean isEqual) {
    return switch (condition) {
      case Expression.Compare(var comparison, var left, var right)
          when comparison == (isEqual ? Comparison.EQUAL : Comparison.NOT_EQUAL) ->
          equality(condition, left, right);
      case Expression.Not(Expression.Compare(var comparison, var left, var right))
          when comparison == (isEqual ? Comparison.NOT_EQUAL : Comparison.EQUAL) ->
          equality(condition, left, right);
      default -> null;
    };
  }

  private static @Nullable Equality equality(
      Expression condition, Expression left, Expression right) {
    Equality equality = equalityOf(condition, left, right);
    return equality == null ? equalityOf(condition, right, left) : equality;
  }

  private static @Nullable Equality equalityOf(
      Expression condition, Expression subject, Expression value) {
    boolean isOfRow =
        subject instanceof Expression.KeyPath
            || (subject instanceof Expression.Path path && !path.attribute().isMany());
    return isOfRow && value instanceof Expression.Literal literal && isOne(literal.value())
        ? new Equality(condition, subject, literal)
        : null;
  }

  /// Whether a value of an `in` stands for itself: a list stands for its elements there.
  private static boolean isOne(@Nullable Object value) {
    ValueKind kind = ValueKind.of(Values.normal(value));
    return kind != ValueKind.LIST && kind != ValueKind.OTHER;
  }
}
