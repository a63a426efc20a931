package io.varve.query.internal.access;

import org.jspecify.annotations.Nullable;

/// One row that was read, or none. For one thread.
///
/// @param <K> the keys
/// @param <V> the values
public final class PointRows<K, V> implements RowStream<K, V> {
  private final @Nullable Row<K, V> row;
  private boolean isGiven;

  record Row<K, V>(byte[] keyBytes, K key, V value) {}

  PointRows(@Nullable Row<K, V> row) {
    this.row = row;
  }

  @Override
  public boolean next() {
    boolean isThere = row != null && !isGiven;
    isGiven = true;
    return isThere;
  }

  private Row<K, V> row() {
    if (row == null) {
      throw new IllegalStateException("no row here");
    }
    return row;
  }

  @Override
  public K key() {
    return row().key();
  }

  @Override
  public V value() {
    return row().value();
  }

  @Override
  public byte[] keyBytes() {
    return row().keyBytes();
  }

  @Override
  public void close() {
    isGiven = true;
  }
}
