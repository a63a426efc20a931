package io.varve.cache.internal.container;

import io.varve.cache.Marshaller;
import io.varve.cache.internal.marshal.ScalarMarshaller;

/// The form in which values, or keys, are held on the heap.
///
/// @param <T> the values
public sealed interface ValueForm<T> {
  /// The form of a value.
  Object store(T value);

  /// The value of a form.
  T load(Object form);

  /// About the bytes that a form takes.
  long bytes(Object form);

  /// Objects themselves: whoever changes one after it was put changes what is in the cache.
  ///
  /// @param <T> the values
  record ByReference<T>() implements ValueForm<T> {
    @Override
    public Object store(T value) {
      return value;
    }

    @Override
    @SuppressWarnings("unchecked") // made by store
    public T load(Object form) {
      return (T) form;
    }

    @Override
    public long bytes(Object form) {
      throw new IllegalStateException("the bytes of an object by reference are not known");
    }
  }

  /// Objects that nobody can change as they are, others as bytes: so a byte array is always one.
  ///
  /// @param <T> the values
  record ByValue<T>(Marshaller<T> marshaller) implements ValueForm<T> {
    @Override
    public Object store(T value) {
      return ScalarMarshaller.isImmutable(value) ? value : marshaller.toBytes(value);
    }

    @Override
    @SuppressWarnings("unchecked") // made by store
    public T load(Object form) {
      return form instanceof byte[] bytes ? marshaller.fromBytes(bytes) : (T) form;
    }

    @Override
    public long bytes(Object form) {
      return switch (form) {
        case byte[] bytes -> bytes.length;
        case String text -> text.length();
        default -> Long.BYTES;
      };
    }
  }
}
