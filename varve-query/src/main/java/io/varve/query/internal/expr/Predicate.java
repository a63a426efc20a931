package io.varve.query.internal.expr;

import io.varve.query.Condition;
import java.util.List;

/// A condition of objects, as an expression of source 0.
public record Predicate<V>(Expression expression) implements Condition<V> {
  /// The expression of a condition.
  public static Expression of(Condition<?> condition) {
    return ((Predicate<?>) condition).expression();
  }

  @Override
  public Condition<V> and(Condition<? super V> other) {
    return new Predicate<>(Expressions.and(List.of(expression, of(other))));
  }

  @Override
  public Condition<V> or(Condition<? super V> other) {
    return new Predicate<>(Expressions.or(List.of(expression, of(other))));
  }

  @Override
  public Condition<V> not() {
    return new Predicate<>(new Expression.Not(expression));
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
