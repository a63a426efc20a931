package io.varve;

/// Turns values into bytes and back.
///
/// @param <T> the values
public interface Codec<T> {
  /// The bytes of `value`, in an array that the caller may keep.
  byte[] encode(T value);

  /// The value of `bytes`, which are not kept.
  T decode(byte[] bytes);
}
