package io.varve.query.internal.access;

/// Rows that were read, so that each has a value. It may hold cursors and temporary files.
///
/// @param <K> the keys
/// @param <V> the values
public interface RowStream<K, V> extends Rows<K, V> {
  @Override
  V value();
}
