package io.varve.query.internal.access;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.ReadView;
import io.varve.Space;
import io.varve.TransactionPoint;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What the parts of one run of a plan have in common.
///
/// - (READING-1) In a transaction all parts are read as of one point between its writes, whenever
///   they are opened. So it does not depend on the plan which rows are found.
///
/// @param view that is read
/// @param point of the view if it is a transaction, or else null
/// @param table the space of the rows
/// @param entries finds the space of the entries of an index
/// @param values of the rows
/// @param settings of sorts
/// @param meter counts what is read
record Reading<K, V>(
    ReadView view,
    @Nullable TransactionPoint point,
    Space table,
    Function<IndexForm, Space> entries,
    RowValues<K, V> values,
    SortSettings settings,
    Meter meter) {
  Cursor cursor(Space space, Range range) {
    return point == null ? view.cursor(space, range) : point.cursor(space, range);
  }

  /// The value of a row, or null if there is none.
  byte @Nullable [] get(byte[] key) {
    return point == null ? view.get(table, key) : point.get(table, key);
  }
}
