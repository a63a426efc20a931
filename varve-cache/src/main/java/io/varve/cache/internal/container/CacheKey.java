package io.varve.cache.internal.container;

import io.varve.cache.Marshaller;
import io.varve.cache.internal.marshal.ScalarMarshaller;
import org.jspecify.annotations.Nullable;

/// A key during one operation. Its bytes are made once, if anybody asks for them. For one thread.
///
/// @param <K> the keys
public final class CacheKey<K> {
  private final K key;
  private final Marshaller<K> marshaller;
  private byte @Nullable [] bytes;

  /// Wraps a key.
  ///
  /// @throws IllegalArgumentException if it is an array, which equals no other of the same content
  public CacheKey(K key, Marshaller<K> marshaller) {
    if (key.getClass().isArray()) {
      throw new IllegalArgumentException(
          "an array is no key: class="
              + key.getClass().getTypeName()
              + "; wrap it in a class that has equals and hashCode");
    }
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

  /// The key, apart from the object that its user holds and may change.
  K copy() {
    return ScalarMarshaller.isImmutable(key) ? key : marshaller.fromBytes(bytes());
  }
}
