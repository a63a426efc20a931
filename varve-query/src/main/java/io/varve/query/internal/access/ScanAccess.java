package io.varve.query.internal.access;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.ReadView;
import io.varve.Space;
import io.varve.Table;
import io.varve.Transaction;
import io.varve.query.Entity;
import io.varve.query.Values;
import io.varve.query.internal.expr.Alternatives;
import io.varve.query.internal.expr.Evaluation;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Scope;
import io.varve.query.internal.expr.Sorting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads a table from its first row to its last, and keeps what has to be sorted on the heap: for
/// tables without indexes.
///
/// @param table to read
/// @param entity what its values are
/// @param <K> the keys
/// @param <V> the values
public record ScanAccess<K, V>(Table<K, V> table, Entity<V> entity) implements Access<K, V> {
  @Override
  public Space space(ReadView view) {
    return view.open(table).space();
  }

  @Override
  public Rows<K, V> rows(ReadView view, Request request) {
    RowStream<K, V> scan = new Scan<>(this, view, request.where());
    RowStream<K, V> ordered = request.order().isEmpty() ? scan : sorted(scan, request.order());
    return new LimitedRows<>(ordered, request.offset(), request.limit());
  }

  @Override
  public long count(ReadView view, Expression where) {
    long count = 0;
    try (Rows<K, V> rows = rows(view, Request.of(where))) {
      while (rows.next()) {
        count++;
      }
    }
    return count;
  }

  @Override
  public Estimate estimate(ReadView view, Request request) {
    Space space = view.store().open(table).space();
    boolean isTransaction = view instanceof Transaction;
    long rows = isTransaction ? space.count(Range.all()) : view.count(space, Range.all());
    return new Estimate(rows, rows);
  }

  @Override
  public String explain(ReadView view, Request request) {
    return "all rows" + (request.order().isEmpty() ? "" : ", sorted");
  }

  private RowStream<K, V> sorted(RowStream<K, V> rows, List<Sorting> order) {
    List<Found<K, V>> found = new ArrayList<>();
    try (rows) {
      while (rows.next()) {
        Scope scope = Scope.of(rows.key(), rows.value());
        @Nullable Object[] by = new @Nullable Object[order.size()];
        for (int index = 0; index < by.length; index++) {
          by[index] = Values.normal(Evaluation.value(order.get(index).value(), scope));
        }
        found.add(new Found<>(new ReadRows.Row<>(rows.keyBytes(), rows.key(), rows.value()), by));
      }
    }
    if (SortForm.areKeysDescending(order)) {
      Collections.reverse(found);
    }
    found.sort(comparator(order));
    return new ReadRows<>(found.stream().map(Found::row).iterator());
  }

  /// Rows that are equal in order stay in that of their keys, as [SortForm] has them.
  private static <K, V> Comparator<Found<K, V>> comparator(List<Sorting> order) {
    return (left, right) -> {
      for (int index = 0; index < order.size(); index++) {
        int by = order.get(index).compare(left.by()[index], right.by()[index]);
        if (by != 0) {
          return by;
        }
      }
      return 0;
    };
  }

  /// A row that is kept to be sorted by some values.
  private record Found<K, V>(ReadRows.Row<K, V> row, @Nullable Object[] by) {}

  /// Rows of the whole table that a condition is true of.
  private static final class Scan<K, V> implements RowStream<K, V> {
    private final Table<K, V> table;
    private final Expression where;
    private final Cursor cursor;
    private @Nullable K key;
    private @Nullable V value;

    Scan(ScanAccess<K, V> access, ReadView view, Expression where) {
      this.table = access.table();
      this.where = Alternatives.joined(where);
      Space space = view.store().open(table).space();
      this.cursor = view.cursor(space, Range.all());
    }

    @Override
    public boolean next() {
      while (cursor.next()) {
        byte[] keyBytes = cursor.key();
        K rowKey = table.key(keyBytes);
        V rowValue = table.value(keyBytes, cursor.value());
        if (Evaluation.isTrue(where, Scope.of(rowKey, rowValue))) {
          key = rowKey;
          value = rowValue;
          return true;
        }
      }
      key = null;
      value = null;
      return false;
    }

    @Override
    public K key() {
      if (key == null) {
        throw new IllegalStateException("no row here");
      }
      return key;
    }

    @Override
    public V value() {
      if (value == null) {
        throw new IllegalStateException("no row here");
      }
      return value;
    }

    @Override
    public byte[] keyBytes() {
      return cursor.key();
    }

    @Override
    public byte[] valueBytes() {
      return cursor.value();
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
