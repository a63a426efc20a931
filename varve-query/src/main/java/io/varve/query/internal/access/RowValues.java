package io.varve.query.internal.access;

/// Gives the keys and values that bytes stand for.
///
/// @param <K> the keys
/// @param <V> the values
interface RowValues<K, V> {
  /// The key of bytes.
  K key(byte[] key);

  /// The value of bytes.
  ///
  /// @param key of the row
  V value(byte[] key, byte[] value);
}
