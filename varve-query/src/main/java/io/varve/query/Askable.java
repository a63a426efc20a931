package io.varve.query;

import io.varve.IndexedSpace;
import io.varve.ReadView;
import io.varve.Store;
import io.varve.query.internal.access.TableAccess;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Predicate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What has rows that queries find.
abstract sealed class Askable<K, V> permits Queryable, ObjectTable {
  private final Store store;
  private final TableAccess<K, V> access;

  Askable(Store store, TableAccess<K, V> access) {
    this.store = store;
    this.access = access;
  }

  /// All rows.
  public Found<K, V> all() {
    return new Found<>(asked(), Expression.Literal.TRUE);
  }

  /// The rows that a condition is true of.
  public Found<K, V> where(Condition<? super V> condition) {
    return new Found<>(asked(), Predicate.of(Objects.requireNonNull(condition, "condition")));
  }

  /// The indexes, to be listed, verified, dropped and renamed.
  public IndexedSpace indexes() {
    return access.indexed();
  }

  private Asked<K, V> asked() {
    return new Asked<>(store, access, view());
  }

  final Store store() {
    return store;
  }

  final TableAccess<K, V> access() {
    return access;
  }

  /// What queries read from, or null for a snapshot of their own.
  abstract @Nullable ReadView view();
}
