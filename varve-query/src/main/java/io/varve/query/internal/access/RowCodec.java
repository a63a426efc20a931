package io.varve.query.internal.access;

import io.varve.Table;
import io.varve.query.internal.expr.Scope;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Decodes rows of a table. A change asks each index in turn about the row before and the row after
/// it, so each thread remembers the last two.
///
/// Thread-safe, as the codecs are.
///
/// @param <K> the keys
/// @param <V> the values
public final class RowCodec<K, V> implements RowValues<K, V> {
  private final Table<K, V> table;
  private final ThreadLocal<Recent> recent = ThreadLocal.withInitial(Recent::new);

  /// Decodes rows of that table.
  public RowCodec(Table<K, V> table) {
    this.table = table;
  }

  @Override
  public K key(byte[] key) {
    return table.key(key);
  }

  @Override
  public V value(byte[] key, byte[] value) {
    return table.value(key, value);
  }

  /// A row for expressions; one that this thread has just asked for is not decoded again.
  Scope remembered(byte[] key, byte[] value) {
    Recent rows = recent.get();
    if (rows.last == null || !rows.last.is(key, value)) {
      Remembered before = rows.last;
      rows.last = rows.previous;
      rows.previous = before;
      if (rows.last == null || !rows.last.is(key, value)) {
        Scope row = Scope.of(table.key(key), table.value(key, value));
        rows.last = new Remembered(key.clone(), value.clone(), row);
      }
    }
    return rows.last.row;
  }

  private static final class Recent {
    private @Nullable Remembered last;
    private @Nullable Remembered previous;
  }

  private record Remembered(byte[] key, byte[] value, Scope row) {
    boolean is(byte[] otherKey, byte[] otherValue) {
      return Arrays.equals(key, otherKey) && Arrays.equals(value, otherValue);
    }
  }
}
