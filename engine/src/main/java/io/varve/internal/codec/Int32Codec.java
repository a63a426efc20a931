package io.varve.internal.codec;

/// Big-endian with the sign bit flipped, which puts negative numbers before positive ones.
public final class Int32Codec extends FixedLengthCodec<Integer> {
  /// The only one: it has no state.
  public static final Int32Codec INSTANCE = new Int32Codec();

  private Int32Codec() {
    super("int32", Integer.BYTES);
  }

  @Override
  void write(Integer value, byte[] target) {
    INT.set(target, 0, value ^ Integer.MIN_VALUE);
  }

  @Override
  Integer read(byte[] source, int from) {
    return (int) INT.get(source, from) ^ Integer.MIN_VALUE;
  }
}
