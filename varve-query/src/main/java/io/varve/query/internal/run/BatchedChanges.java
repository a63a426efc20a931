package io.varve.query.internal.run;

import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.Transaction;
import io.varve.query.internal.access.Access;
import io.varve.query.internal.access.IndexDroppedException;
import io.varve.query.internal.access.Needed;
import io.varve.query.internal.access.Rows;
import io.varve.query.internal.expr.Alternatives;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Scope;
import io.varve.query.internal.statement.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs a statement that changes the rows of a table in transactions of so many rows each. So
/// neither what is changed nor its pages have to fit in memory together.
///
/// (BATCHES-1) The keys are those of one snapshot, so each row is changed once at most, whatever
/// the changes make of its index entries. A row is changed if the condition is true of it in the
/// snapshot, and in the transaction that changes it.
///
/// @param store of the table
/// @param access reads the table
/// @param <K> the keys
/// @param <V> the values
public record BatchedChanges<K, V>(Store store, Access<K, V> access) {
  /// Runs it.
  ///
  /// @param rowsMax of one transaction
  /// @return how many rows it changed or removed
  public long run(Statement statement, int rowsMax) {
    Expression where = statement.where();
    var found = new Access.Request(where, List.of(), 0, Long.MAX_VALUE, Needed.by(List.of(where)));
    long count = 0;
    try (Snapshot snapshot = store.snapshot();
        Rows<K, V> rows = access.rows(snapshot, found)) {
      List<byte[]> keys = new ArrayList<>();
      while (rows.next()) {
        keys.add(rows.keyBytes());
        if (keys.size() == rowsMax) {
          count += change(statement, keys);
          keys.clear();
        }
      }
      return keys.isEmpty() ? count : count + change(statement, keys);
    } catch (IndexDroppedException e) {
      // Not the same exception: that one asks to run the query again.
      throw new IllegalStateException(
          "an index was dropped while rows to change were found by it, and those of earlier"
              + " transactions are changed: changed="
              + count
              + "; run the query again only if that changes none of them twice",
          e);
    }
  }

  private long change(Statement statement, List<byte[]> keys) {
    Expression where = Alternatives.joined(statement.where());
    return store.transactAndGet(transaction -> {
      Space space = access.space(transaction);
      long count = 0;
      for (byte[] key : keys) {
        byte[] value = transaction.get(space, key);
        if (value != null) {
          K rowKey = access.table().key(key);
          V row = access.table().value(key, value);
          if (Evaluation.isTrue(where, Scope.of(rowKey, row))) { // (BATCHES-1)
            change(transaction, space, key, changed(statement, rowKey, row));
            count++;
          }
        }
      }
      return count;
    });
  }

  /// @param value null to remove the row
  private static void change(
      Transaction transaction, Space space, byte[] key, byte @Nullable [] value) {
    if (value == null) {
      transaction.delete(space, key);
    } else {
      transaction.put(space, key, value);
    }
  }

  private byte @Nullable [] changed(Statement statement, K key, V row) {
    return switch (statement) {
      case Statement.Update update -> Changes.changed(access, key, row, update.assignments());
      case Statement.Delete _ -> null;
      case Statement.Select _ -> throw Changes.changesNothing();
    };
  }
}
