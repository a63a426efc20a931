package io.varve.query.internal.access;

import io.varve.query.Attribute;
import org.jspecify.annotations.Nullable;

/// Rows that others have, of which this decides when to move. For one thread.
///
/// @param <K> the keys
/// @param <V> the values
abstract class ForwardedRows<K, V> implements RowStream<K, V> {
  /// Those that have the row.
  abstract RowStream<K, V> rows();

  @Override
  public final K key() {
    return rows().key();
  }

  @Override
  public final V value() {
    return rows().value();
  }

  @Override
  public final @Nullable Object attribute(Attribute<?, ?> attribute) {
    return rows().attribute(attribute);
  }

  @Override
  public final byte[] keyBytes() {
    return rows().keyBytes();
  }

  @Override
  public final byte @Nullable [] valueBytes() {
    return rows().valueBytes();
  }

  @Override
  public final void close() {
    rows().close();
  }
}
