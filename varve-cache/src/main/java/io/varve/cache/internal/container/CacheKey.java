package io.varve.cache.internal.container;

import io.varve.cache.Marshaller;
import org.jspecify.annotations.Nullable;

/// A key during one operation. Its bytes are made once, if anybody asks for them. For one thread.
///
/// @param <K> the keys
public final class CacheKey<K> {
  private final K key;
  private final Marshaller<K> marshaller;
  private byte @Nullable [] bytes;

  /// Wraps a key.
  public CacheKey(K key, Marshaller<K> marshaller) {
    this.key = key;
    this.marshaller = marshaller;
  }

  /// The key.
  public K key() {
    return key;
  }

  /// Its bytes; not to be changed.
  byte[] bytes() {
    byte[] made = bytes;
    if (made == null) {
      made = marshaller.toBytes(key);
      bytes = made;
    }
    return made;
  }
}
