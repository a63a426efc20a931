package io.varve.query.internal.access;

import org.jspecify.annotations.Nullable;

/// Rows, one after the other. For one thread.
///
/// @param <K> the keys
/// @param <V> the values
public interface Rows<K, V> extends AutoCloseable {
  /// Moves to the next row.
  ///
  /// @return false if there is none
  boolean next();

  /// The key of the row.
  K key();

  /// The value of the row.
  @Nullable V value();

  /// The bytes of the key of the row.
  byte[] keyBytes();

  @Override
  void close();
}
