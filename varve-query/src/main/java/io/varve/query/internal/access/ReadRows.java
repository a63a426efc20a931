package io.varve.query.internal.access;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// Rows that have been read, one after the other. For one thread.
///
/// @param <K> the keys
/// @param <V> the values
final class ReadRows<K, V> implements RowStream<K, V> {
  private final Iterator<Row<K, V>> rest;
  private @Nullable Row<K, V> at;

  record Row<K, V>(byte[] keyBytes, K key, V value) {}

  ReadRows(Iterator<Row<K, V>> rows) {
    this.rest = rows;
  }

  @Override
  public boolean next() {
    at = rest.hasNext() ? rest.next() : null;
    return at != null;
  }

  private Row<K, V> row() {
    if (at == null) {
      throw new IllegalStateException("no row here");
    }
    return at;
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
    at = null;
  }
}
