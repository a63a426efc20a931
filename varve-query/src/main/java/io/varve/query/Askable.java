package io.varve.query;

import io.varve.ReadView;
import io.varve.Store;
import io.varve.query.internal.access.TableAccess;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Predicate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What has rows that queries find.
abstract sealed class Askable<K, V> permits Queryable, ObjectTable {
  /// All rows.
  public Found<K, V> all() {
    return new Found<>(this, Expression.Literal.TRUE);
  }

  /// The rows that a condition is true of.
  public Found<K, V> where(Condition<? super V> condition) {
    return new Found<>(this, Predicate.of(Objects.requireNonNull(condition, "condition")));
  }

  abstract Store store();

  abstract TableAccess<K, V> access();

  /// What queries read from, or null for a snapshot of their own.
  abstract @Nullable ReadView view();
}
