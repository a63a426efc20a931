package io.varve.internal.codec;

import io.varve.Codec;
import java.util.Arrays;
import java.util.Comparator;

/// Bytes as they are. Both ways copy: neither side may see the other change its array.
public final class BytesCodec implements Codec<byte[]> {
  /// The only one: it has no state.
  public static final BytesCodec INSTANCE = new BytesCodec();

  private BytesCodec() {}

  @Override
  public byte[] encode(byte[] value) {
    return value.clone();
  }

  @Override
  public byte[] decode(byte[] bytes) {
    return bytes.clone();
  }

  @Override
  public Comparator<? super byte[]> comparator() {
    return Arrays::compareUnsigned;
  }

  @Override
  public String id() {
    return "bytes";
  }

  @Override
  public String toString() {
    return "Codec[bytes]";
  }
}
