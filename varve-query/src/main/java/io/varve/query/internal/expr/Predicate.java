package io.varve.query.internal.expr;

import io.varve.query.Condition;
import java.util.List;

/// A condition of objects, as an expression of source 0. Methods that read one call themselves for
/// each level, so that these are bounded, as those of a text are.
///
/// @param levels of conditions inside of each other; those of one kind in a row are one
public record Predicate<V>(Expression expression, int levels) implements Condition<V> {
  /// Each takes some frames of the stack, and 1,500 levels take all that a thread has.
  private static final int LEVELS_MAX = 500;

  /// @throws IllegalArgumentException if there are more levels than [#LEVELS_MAX]
  public Predicate {
    if (levels > LEVELS_MAX) {
      throw new IllegalArgumentException(
          "the condition nests too deep: levels="
              + levels
              + ", max="
              + LEVELS_MAX
              + "; join conditions of one kind in a row, or ask by in");
    }
  }

  /// A condition that has no other inside.
  public Predicate(Expression expression) {
    this(expression, 1);
  }

  /// The expression of a condition.
  public static Expression of(Condition<?> condition) {
    return ((Predicate<?>) condition).expression();
  }

  @Override
  public Condition<V> and(Condition<? super V> other) {
    Expression both = Expressions.and(List.of(expression, of(other)));
    return new Predicate<>(both, levelsWith(other, Expression.And.class));
  }

  @Override
  public Condition<V> or(Condition<? super V> other) {
    Expression either = Expressions.or(List.of(expression, of(other)));
    return new Predicate<>(either, levelsWith(other, Expression.Or.class));
  }

  private int levelsWith(Condition<? super V> other, Class<? extends Expression> kind) {
    return Math.max(levelsIn(kind), ((Predicate<?>) other).levelsIn(kind));
  }

  /// The levels of a condition of a kind that has this one inside.
  private int levelsIn(Class<? extends Expression> kind) {
    return kind.isInstance(expression) ? levels : levels + 1;
  }

  @Override
  public Condition<V> not() {
    return new Predicate<>(new Expression.Not(expression), levels + 1);
  }

  @Override
  public boolean test(Object key, V value) {
    return Evaluation.isTrue(expression, Scope.of(key, value));
  }

  @Override
  public String toString() {
    return Expressions.text(expression);
  }
}
