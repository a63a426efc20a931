package io.varve.query.internal.access;

import io.varve.query.Attribute;
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

  /// What an attribute of the value is: without reading the value, if the entry of an index has it.
  @SuppressWarnings("unchecked") // an attribute of the objects of this table
  default @Nullable Object attribute(Attribute<?, ?> attribute) {
    V value = value();
    return value == null ? null : ((Attribute<V, ?>) attribute).get(value);
  }

  /// The bytes of the key of the row.
  byte[] keyBytes();

  /// The bytes of the value of the row, or null if these rows do not have them.
  default byte @Nullable [] valueBytes() {
    return null;
  }

  @Override
  void close();
}
