package io.varve.query.internal.run;

import io.varve.OrderedMap;
import io.varve.ReadView;
import io.varve.Transaction;
import io.varve.query.Entity;
import io.varve.query.internal.access.Access;
import io.varve.query.internal.access.IndexDroppedException;
import io.varve.query.internal.access.ObjectSource;
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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Runs a statement that changes a table: first reads the rows, then changes them, so that no
/// change is read again.
///
/// @param view that is read: a transaction, of which the changes are a part; or any view if what is
///   changed are objects of a map or a cache
/// @param tables what finds the rows of each, by name
public record Changes(ReadView view, Map<String, Access<?, ?>> tables) {
  /// Runs it.
  ///
  /// @return how many rows it changed or removed
  public long run(Statement statement) {
    Access<?, ?> access =
        new TableReader(view, tables).table(statement.sources().getFirst().table());
    return switch (statement) {
      case Statement.Update update -> update(access, update);
      case Statement.Delete delete -> delete(access, delete);
      case Statement.Select _ ->
          throw new IllegalArgumentException("the query changes nothing; ask it for its answers");
    };
  }

  private <K, V> long update(Access<K, V> access, Statement.Update update) {
    Map<K, V> found = found(access, update.where());
    ObjectSource<K> objects = access.objects();
    if (objects != null) {
      return update(access.entity(), objects, found, update.assignments());
    }
    Map<K, V> changed = new LinkedHashMap<>();
    found.forEach((key, value) ->
        changed.put(key, access.entity().with(value, values(key, value, update.assignments()))));
    OrderedMap<K, V> map = transaction().open(access.table());
    changed.forEach(map::put);
    return changed.size();
  }

  /// Changes objects, some of which are changed in place: so each value is computed and checked
  /// before the first change.
  private static <K, V> long update(
      Entity<V> entity, ObjectSource<K> objects, Map<K, V> found, List<Assignment> assignments) {
    Map<K, ObjectChange<V>> changes = new LinkedHashMap<>();
    found.forEach((key, object) -> {
      Map<String, @Nullable Object> values = values(key, object, assignments);
      entity.check(object, values);
      changes.put(key, new ObjectChange<>(entity, values));
    });
    return changes.entrySet().stream()
        .filter(change ->
            objects.change(
                change.getKey(),
                Objects.requireNonNull(found.get(change.getKey())),
                change.getValue()))
        .count();
  }

  private static <K, V> Map<String, @Nullable Object> values(
      K key, V value, List<Assignment> assignments) {
    Scope row = Scope.of(key, value);
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Assignment assignment : assignments) {
      values.put(assignment.path(), Evaluation.value(assignment.value(), row));
    }
    return values;
  }

  private Transaction transaction() {
    if (view instanceof Transaction transaction) {
      return transaction;
    }
    throw new IllegalArgumentException("a snapshot cannot be changed; give a transaction");
  }

  private <K, V> long delete(Access<K, V> access, Statement.Delete delete) {
    ObjectSource<K> objects = access.objects();
    if (objects != null) {
      return delete(access, delete, objects);
    }
    List<K> keys =
        IndexDroppedException.whole(() -> {
          List<K> found = new ArrayList<>();
          try (Rows<K, V> rows = rows(access, delete.where())) {
            while (rows.next()) {
              found.add(rows.key());
            }
          }
          return found;
        });
    OrderedMap<K, V> map = transaction().open(access.table());
    keys.forEach(map::remove);
    return keys.size();
  }

  private <K, V> long delete(
      Access<K, V> access, Statement.Delete delete, ObjectSource<K> objects) {
    Map<K, V> found = found(access, delete.where());
    return found.entrySet().stream()
        .filter(row -> objects.remove(row.getKey(), Objects.requireNonNull(row.getValue())))
        .count();
  }

  /// All rows are found before the first change.
  private <K, V> Map<K, V> found(Access<K, V> access, Expression where) {
    return IndexDroppedException.whole(() -> {
      Map<K, V> found = new LinkedHashMap<>();
      try (Rows<K, V> rows = rows(access, where)) {
        while (rows.next()) {
          V value = rows.value();
          if (value != null) {
            found.put(rows.key(), value);
          }
        }
      }
      return found;
    });
  }

  private <K, V> Rows<K, V> rows(Access<K, V> access, Expression where) {
    return access.rows(view, Access.Request.of(where));
  }
}
