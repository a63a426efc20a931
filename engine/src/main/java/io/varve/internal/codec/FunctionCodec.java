package io.varve.internal.codec;

import io.varve.Codec;
import java.util.Objects;
import java.util.function.Function;

/// A codec of two functions that a user gave.
///
/// @param <T> the values
/// @param encoder gives bytes in an array of their own
/// @param decoder does not keep the array that it is given
public record FunctionCodec<T>(
    Function<? super T, byte[]> encoder, Function<? super byte[], ? extends T> decoder)
    implements Codec<T> {
  /// Makes a codec of the two functions.
  public FunctionCodec {
    Objects.requireNonNull(encoder, "encoder");
    Objects.requireNonNull(decoder, "decoder");
  }

  @Override
  public byte[] encode(T value) {
    return encoder.apply(value);
  }

  @Override
  public T decode(byte[] bytes) {
    return decoder.apply(bytes);
  }
}
