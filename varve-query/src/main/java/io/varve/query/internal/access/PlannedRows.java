package io.varve.query.internal.access;

import java.util.function.Function;
import java.util.function.Supplier;

/// The rows of a plan. If an index of it is dropped before the first row was given, they are found
/// by another plan. For one thread.
///
/// @param <K> the keys
/// @param <V> the values
public final class PlannedRows<K, V> extends ForwardedRows<K, V> {
  private final ReadableIndexes indexes;
  private final Supplier<Plan> planning;
  private final Function<Plan, RowStream<K, V>> opening;
  private Plan plan;
  private RowStream<K, V> rows;
  private boolean isStarted;

  /// @param planning makes a plan by the indexes
  /// @param opening opens the rows of a plan
  PlannedRows(
      ReadableIndexes indexes, Supplier<Plan> planning, Function<Plan, RowStream<K, V>> opening) {
    this.indexes = indexes;
    this.planning = planning;
    this.opening = opening;
    Opened<K, V> opened = open();
    this.plan = opened.plan();
    this.rows = opened.rows();
  }

  private record Opened<K, V>(Plan plan, RowStream<K, V> rows) {}

  private Opened<K, V> open() {
    return indexes.read(() -> {
      Plan made = planning.get();
      return new Opened<>(made, opening.apply(made));
    });
  }

  /// How they are found.
  public Plan plan() {
    return plan;
  }

  @Override
  public boolean next() {
    boolean isThere = isStarted ? nextOfPlan() : first();
    isStarted = true;
    return isThere;
  }

  private boolean nextOfPlan() {
    try {
      return rows.next();
    } catch (IllegalStateException e) {
      if (indexes.forgetDropped()) {
        throw new IndexDroppedException(e);
      }
      throw e;
    }
  }

  private boolean first() {
    try {
      return rows.next();
    } catch (IllegalStateException e) {
      if (indexes.forgetDropped()) {
        rows.close();
        Opened<K, V> again = open();
        plan = again.plan();
        rows = again.rows();
        return first();
      }
      throw e;
    }
  }

  @Override
  RowStream<K, V> rows() {
    return rows;
  }
}
