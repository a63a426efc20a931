package io.varve.query.internal.expr;

import io.varve.query.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Many equalities of one attribute that are joined by `or`, as one `in`: a row looks its value up
/// then, and is not compared with each. The condition is true, false or unknown as before.
public final class Alternatives {
  /// Fewer are compared as fast, and stay as they were written.
  private static final int EQUALITIES_MIN = 8;

  private Alternatives() {}

  /// A condition that an attribute or a key equals a value.
  private record Equality(Expression condition, Expression subject, Expression value) {}

  /// The condition with such equalities joined, at any depth; itself if there are none.
  public static Expression joined(Expression condition) {
    return switch (condition) {
      case Expression.And(var conditions) -> Expressions.and(each(conditions));
      case Expression.Or(var conditions) -> or(each(conditions));
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

  private static Expression or(List<Expression> conditions) {
    if (conditions.size() < EQUALITIES_MIN) {
      return Expressions.or(conditions);
    }
    List<Expression> others = new ArrayList<>();
    Map<Expression, List<Equality>> equalities = new LinkedHashMap<>();
    for (Expression condition : conditions) {
      Equality equality = equality(condition);
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
        all.add(new Expression.In(subject, ofSubject.stream().map(Equality::value).toList()));
      }
    });
    all.addAll(others);
    return Expressions.or(all);
  }

  private static @Nullable Equality equality(Expression condition) {
    if (!(condition instanceof Expression.Compare(var comparison, var left, var right))
        || comparison != Comparison.EQUAL) {
      return null;
    }
    Equality equality = equality(condition, left, right);
    return equality == null ? equality(condition, right, left) : equality;
  }

  private static @Nullable Equality equality(
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
