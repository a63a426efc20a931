package io.varve.query.internal.access;

import io.varve.Codec;

/// Is used where a table has a codec of its values, if they are objects of a map or a cache.
///
/// @param <V> the objects
public final class NoCodec<V> implements Codec<V> {
  @Override
  public byte[] encode(V value) {
    throw refused();
  }

  @Override
  public V decode(byte[] bytes) {
    throw refused();
  }

  private static IllegalArgumentException refused() {
    return new IllegalArgumentException(
        "the objects are in a map or a cache, not in the store: change them there");
  }
}
