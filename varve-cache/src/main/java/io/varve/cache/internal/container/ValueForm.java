package io.varve.cache.internal.container;

import io.varve.cache.Marshaller;
import io.varve.cache.internal.marshal.ScalarMarshaller;

/// The form in which keys and values are held on the heap.
///
/// @param <V> the values
public sealed interface ValueForm<V> {
  /// The form of a value.
  Object store(V value);

  /// The value of a form.
  V load(Object form);

  /// About the bytes that a form takes.
  long weight(Object form);

  /// The value of a form as its marshaller writes it; not to be changed.
  byte[] bytes(Object form);

  /// About the bytes of an object: exact for byte arrays, the length of strings, and for any other
  /// that of a number.
  static long about(Object object) {
    return switch (object) {
      case byte[] bytes -> bytes.length;
      case String text -> text.length();
      default -> Long.BYTES;
    };
  }

  /// The key that is held, or given to a caller, for one: itself or a copy.
  <K> K key(CacheKey<K> key);

  /// Objects themselves: a caller that changes one after it was put changes what is in the cache.
  ///
  /// @param <V> the values
  record ByReference<V>(Marshaller<V> marshaller) implements ValueForm<V> {
    @Override
    public Object store(V value) {
      return value;
    }

    @Override
    @SuppressWarnings("unchecked") // made by store
    public V load(Object form) {
      return (V) form;
    }

    @Override
    public long weight(Object form) {
      return about(form);
    }

    @Override
    public byte[] bytes(Object form) {
      return marshaller.toBytes(load(form));
    }

    @Override
    public <K> K key(CacheKey<K> key) {
      return key.key();
    }
  }

  /// Objects that no caller can change as they are, others as bytes: so a byte array is always one.
  ///
  /// @param <V> the values
  record ByValue<V>(Marshaller<V> marshaller) implements ValueForm<V> {
    @Override
    public Object store(V value) {
      return ScalarMarshaller.isImmutable(value) ? value : marshaller.toBytes(value);
    }

    /// The form of a value whose bytes are known.
    Object store(V value, byte[] bytes) {
      return ScalarMarshaller.isImmutable(value) ? value : bytes;
    }

    @Override
    @SuppressWarnings("unchecked") // made by store
    public V load(Object form) {
      return form instanceof byte[] bytes ? marshaller.fromBytes(bytes) : (V) form;
    }

    @Override
    @SuppressWarnings("unchecked") // made by store
    public byte[] bytes(Object form) {
      return form instanceof byte[] bytes ? bytes : marshaller.toBytes((V) form);
    }

    @Override
    public long weight(Object form) {
      return about(form);
    }

    @Override
    public <K> K key(CacheKey<K> key) {
      return key.copy();
    }
  }
}
