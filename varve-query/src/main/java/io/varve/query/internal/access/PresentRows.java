package io.varve.query.internal.access;

import io.varve.ReadView;
import io.varve.Space;
import io.varve.TransactionPoint;
import io.varve.query.Attribute;
import org.jspecify.annotations.Nullable;

/// The rows that a transaction had at a point, with what it has changed since: a row that it has
/// removed is left out, and one that it has changed has its present value. So no loop over rows
/// writes over its own change unseen, whatever plan finds them. For one thread.
///
/// @param <K> the keys
/// @param <V> the values
final class PresentRows<K, V> implements RowStream<K, V> {
  private final RowStream<K, V> rows;
  private final ReadView view;
  private final TransactionPoint point;
  private final Space table;
  private final RowValues<K, V> values;

  /// The present value of the row if the transaction has changed it, or null if it has not.
  private byte @Nullable [] changed;

  private @Nullable V changedValue;

  /// @param rows as of the point
  PresentRows(RowStream<K, V> rows, Reading<K, V> reading, TransactionPoint point) {
    this.rows = rows;
    this.view = reading.view();
    this.point = point;
    this.table = reading.table();
    this.values = reading.values();
  }

  @Override
  public boolean next() {
    while (rows.next()) {
      byte[] key = rows.keyBytes();
      boolean isChanged = point.isWritten(table, key);
      changed = isChanged ? view.get(table, key) : null;
      changedValue = null;
      if (!isChanged || changed != null) {
        return true;
      }
    }
    return false;
  }

  @Override
  public K key() {
    return rows.key();
  }

  @Override
  public V value() {
    if (changed == null) {
      return rows.value();
    }
    V decoded = changedValue;
    if (decoded == null) {
      decoded = values.value(rows.keyBytes(), changed);
      changedValue = decoded;
    }
    return decoded;
  }

  @Override
  public @Nullable Object attribute(Attribute<?, ?> attribute) {
    return changed == null ? rows.attribute(attribute) : RowStream.super.attribute(attribute);
  }

  @Override
  public byte[] keyBytes() {
    return rows.keyBytes();
  }

  @Override
  public byte @Nullable [] valueBytes() {
    return changed == null ? rows.valueBytes() : changed;
  }

  @Override
  public void close() {
    rows.close();
  }
}
