package io.varve.query.internal.run;

import io.varve.ConflictException;
import io.varve.ReadView;
import io.varve.Space;
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
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Function;
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
      case Statement.Select _ -> throw changesNothing();
    };
  }

  static IllegalArgumentException changesNothing() {
    return new IllegalArgumentException("the query changes nothing; ask it for its answers");
  }

  private <K, V> long update(Access<K, V> access, Statement.Update update) {
    ObjectSource<K> objects = access.objects();
    if (objects != null) {
      return update(access.entity(), objects, found(access, update.where()), update.assignments());
    }
    Space space = access.space(transaction());
    Queue<ChangedRow> changed =
        whole(
            access,
            update.where(),
            rows -> {
              V value = rows.value();
              return value == null
                  ? null
                  : new ChangedRow(
                      rows.keyBytes(), changed(access, rows.key(), value, update.assignments()));
            });
    return forEach(
        access,
        space,
        changed,
        (transaction, row) -> transaction.put(space, row.key(), row.value()));
  }

  /// The new value of a row.
  static <K, V> byte[] changed(Access<K, V> access, K key, V value, List<Assignment> assignments) {
    V changed = access.entity().with(value, values(key, value, assignments));
    return access.table().values().encode(changed);
  }

  /// A row with its new value, until all rows are read: as bytes, which take a part of the memory
  /// of the objects.
  private record ChangedRow(byte[] key, byte[] value) {}

  /// What is done to a row.
  @FunctionalInterface
  private interface RowChange<T> {
    void make(Transaction transaction, T row);
  }

  /// Changes rows, and forgets each: the transaction has its bytes then.
  ///
  /// @param space of the table before they were read: they are none of another
  private <T> long forEach(Access<?, ?> access, Space space, Queue<T> rows, RowChange<T> change) {
    Transaction transaction = transaction();
    if (!access.space(transaction).equals(space)) {
      throw new ConflictException(
          "the table was renamed while its rows were read: table="
              + access.table().name()
              + "; run the transaction again");
    }
    long count = 0;
    for (T row = rows.poll(); row != null; row = rows.poll()) {
      change.make(transaction, row);
      count++;
    }
    return count;
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
    Space space = access.space(transaction());
    Queue<byte[]> keys = whole(access, delete.where(), Rows::keyBytes);
    return forEach(access, space, keys, (transaction, key) -> transaction.delete(space, key));
  }

  private <K, V> long delete(
      Access<K, V> access, Statement.Delete delete, ObjectSource<K> objects) {
    Map<K, V> found = found(access, delete.where());
    return found.entrySet().stream()
        .filter(row -> objects.remove(row.getKey(), Objects.requireNonNull(row.getValue())))
        .count();
  }

  /// All objects are found before the first change.
  private <K, V> Map<K, V> found(Access<K, V> access, Expression where) {
    Map<K, V> found = new LinkedHashMap<>();
    whole(
            access,
            where,
            rows -> {
              V value = rows.value();
              return value == null ? null : Map.entry(rows.key(), value);
            })
        .forEach(row -> found.put(row.getKey(), row.getValue()));
    return found;
  }

  /// What is to be kept of each row that is found, null for nothing. All are found before the first
  /// change.
  private <K, V, T> Queue<T> whole(
      Access<K, V> access, Expression where, Function<Rows<K, V>, @Nullable T> kept) {
    return IndexDroppedException.whole(() -> {
      Queue<T> found = new ArrayDeque<>();
      try (Rows<K, V> rows = rows(access, where)) {
        while (rows.next()) {
          T row = kept.apply(rows);
          if (row != null) {
            found.add(row);
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
