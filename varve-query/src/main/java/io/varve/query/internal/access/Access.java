package io.varve.query.internal.access;

import io.varve.ReadView;
import io.varve.Space;
import io.varve.Table;
import io.varve.query.Attribute;
import io.varve.query.Entity;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Sorting;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the rows of one table that a condition is true of.
///
/// @param <K> the keys
/// @param <V> the values
public interface Access<K, V> {
  /// The table.
  Table<K, V> table();

  /// The space of the rows that a view shows, to change them.
  Space space(ReadView view);

  /// What its values are.
  Entity<V> entity();

  /// The rows of a request, in its order. Close them.
  Rows<K, V> rows(ReadView view, Request request);

  /// The rows of a request as of now, if there is one at most, which is found without a view; null
  /// if they have to be found by a plan.
  default @Nullable Rows<K, V> point(Request request) {
    return null;
  }

  /// How many rows a condition is true of.
  ///
  /// @param where of source 0 alone, with its parameters bound
  long count(ReadView view, Expression where);

  /// What has the values of the rows, if the store has not, and is changed without it.
  default @Nullable ObjectSource<K> objects() {
    return null;
  }

  /// What sorts of the rows, and groups of them, may take.
  default SortSettings sorting() {
    return SortSettings.DEFAULT;
  }

  /// How the rows of a request would be found now, as lines of text for people.
  String explain(ReadView view, Request request);

  /// What it takes to find the rows of a request. What a transaction counts for it is no read.
  Estimate estimate(ReadView view, Request request);

  /// What it takes to find rows.
  ///
  /// @param rows that are read
  /// @param cost of that, where reading a row in a scan costs one
  record Estimate(long rows, double cost) {}

  /// What to read.
  ///
  /// @param where a condition of source 0 alone, with its parameters bound
  /// @param order of the rows; where it is empty, that of the keys or any other
  /// @param offset how many rows to leave out
  /// @param limit how many rows to give at most
  /// @param needed the attributes that are asked of the rows, or null if their values are
  record Request(
      Expression where,
      List<Sorting> order,
      long offset,
      long limit,
      @Nullable List<Attribute<?, ?>> needed) {
    /// Rows with their values.
    public Request(Expression where, List<Sorting> order, long offset, long limit) {
      this(where, order, offset, limit, null);
    }

    /// All rows of a condition.
    public static Request of(Expression where) {
      return new Request(where, List.of(), 0, Long.MAX_VALUE);
    }
  }
}
