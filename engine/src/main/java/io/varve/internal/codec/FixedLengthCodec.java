package io.varve.internal.codec;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.varve.Codec;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// A codec whose every value takes the same number of bytes. Numbers are big-endian, so that bytes
/// compare as unsigned numbers do. Unless a subclass documents another order, bytes are in natural
/// order.
///
/// @param <T> the values
abstract class FixedLengthCodec<T> implements Codec<T> {
  static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, BIG_ENDIAN);
  static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, BIG_ENDIAN);

  private final String name;
  private final int length;

  FixedLengthCodec(String name, int length) {
    this.name = name;
    this.length = length;
  }

  /// The number of bytes of each value.
  final int length() {
    return length;
  }

  @Override
  public final String id() {
    return name;
  }

  /// Writes `value` to `target`, which has the length of this codec.
  abstract void write(T value, byte[] target);

  /// Reads what [#write] wrote; `source` has as many bytes as this codec's values from there on.
  abstract T read(byte[] source, int from);

  @Override
  public final byte[] encode(T value) {
    byte[] bytes = new byte[length];
    write(value, bytes);
    return bytes;
  }

  @Override
  public final T decode(byte[] bytes) {
    if (bytes.length != length) {
      throw malformed("bytes", length, bytes.length);
    }
    return read(bytes, 0);
  }

  @Override
  public @Nullable Comparator<? super T> comparator() {
    return null;
  }

  /// The refusal of bytes that this codec cannot have written. Only facts about their form may be
  /// given: their contents are the user's.
  final IllegalArgumentException malformed(String fact, Object expected, Object found) {
    return Malformed.refusal(name, fact, expected, found);
  }

  @Override
  public final String toString() {
    return "Codec[" + name + "]";
  }
}
