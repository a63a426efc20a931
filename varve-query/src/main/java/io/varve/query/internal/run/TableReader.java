package io.varve.query.internal.run;

import io.varve.ReadView;
import io.varve.Transaction;
import io.varve.query.internal.access.Access;
import io.varve.query.internal.access.JoinTable;
import io.varve.query.internal.access.Rows;
import io.varve.query.internal.access.SortSettings;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Sorting;
import java.util.List;
import java.util.Map;

/// Reads the tables of a query by one view.
///
/// @param view to read from
/// @param tables what finds the rows of each, by name
public record TableReader(ReadView view, Map<String, Access<?, ?>> tables) {
  Access<?, ?> table(String name) {
    Access<?, ?> access = tables.get(name);
    if (access == null) {
      throw new IllegalStateException("no such table: " + name);
    }
    return access;
  }

  String explain(String table, Expression where, List<Sorting> order) {
    return table(table).explain(view, new Access.Request(where, order, 0, Long.MAX_VALUE));
  }

  Access.Estimate estimate(String table, Expression where, List<Sorting> order) {
    return table(table).estimate(view, new Access.Request(where, order, 0, Long.MAX_VALUE));
  }

  JoinTable<?, ?> joinTable(
      String table, Expression where, List<Expression> by, SortSettings settings) {
    return JoinTable.of(table(table), view, where, by, settings);
  }

  /// Whether what is read may be a conflict.
  boolean isTransaction() {
    return view instanceof Transaction;
  }

  Rows<?, ?> rows(String table, Expression where, List<Sorting> order) {
    return table(table).rows(view, new Access.Request(where, order, 0, Long.MAX_VALUE));
  }
}
