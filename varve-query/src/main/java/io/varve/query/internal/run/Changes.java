package io.varve.query.internal.run;

import io.varve.OrderedMap;
import io.varve.Transaction;
import io.varve.query.internal.access.Access;
import io.varve.query.internal.access.Rows;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Scope;
import io.varve.query.internal.statement.Statement;
import io.varve.query.internal.statement.Statement.Assignment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Runs a statement that changes a table, as a part of a transaction: first reads the rows, then
/// changes them, so that no change is read again.
///
/// @param transaction that reads and writes
/// @param tables what finds the rows of each, by name
public record Changes(Transaction transaction, Map<String, Access<?, ?>> tables) {
  /// Runs it.
  ///
  /// @return how many rows it changed or removed
  public long run(Statement statement) {
    Access<?, ?> access =
        new TableReader(transaction, tables).table(statement.sources().getFirst().table());
    return switch (statement) {
      case Statement.Update update -> update(access, update);
      case Statement.Delete delete -> delete(access, delete);
      case Statement.Select _ ->
          throw new IllegalArgumentException("the query changes nothing; ask it for its answers");
    };
  }

  private <K, V> long update(Access<K, V> access, Statement.Update update) {
    Map<K, V> changed = new LinkedHashMap<>();
    try (Rows<K, V> rows = rows(access, update.where())) {
      while (rows.next()) {
        V value = rows.value();
        if (value != null) {
          changed.put(rows.key(), changed(access, rows.key(), value, update.assignments()));
        }
      }
    }
    OrderedMap<K, V> map = transaction.open(access.table());
    changed.forEach(map::put);
    return changed.size();
  }

  private static <K, V> V changed(
      Access<K, V> access, K key, V value, List<Assignment> assignments) {
    Scope row = Scope.of(key, value);
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Assignment assignment : assignments) {
      values.put(assignment.path(), Evaluation.value(assignment.value(), row));
    }
    return access.entity().with(value, values);
  }

  private <K, V> long delete(Access<K, V> access, Statement.Delete delete) {
    List<K> keys = new ArrayList<>();
    try (Rows<K, V> rows = rows(access, delete.where())) {
      while (rows.next()) {
        keys.add(rows.key());
      }
    }
    OrderedMap<K, V> map = transaction.open(access.table());
    keys.forEach(map::remove);
    return keys.size();
  }

  private <K, V> Rows<K, V> rows(Access<K, V> access, Expression where) {
    return access.rows(transaction, Access.Request.of(where));
  }
}
