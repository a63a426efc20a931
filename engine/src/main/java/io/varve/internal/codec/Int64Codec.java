package io.varve.internal.codec;

/// Big-endian with the sign bit flipped, which puts negative numbers before positive ones.
public final class Int64Codec extends FixedLengthCodec<Long> {
  /// The only one: it has no state.
  public static final Int64Codec INSTANCE = new Int64Codec();

  private Int64Codec() {
    super("int64", Long.BYTES);
  }

  @Override
  void write(Long value, byte[] target) {
    LONG.set(target, 0, value ^ Long.MIN_VALUE);
  }

  @Override
  Long read(byte[] source, int from) {
    return (long) LONG.get(source, from) ^ Long.MIN_VALUE;
  }
}
