package io.varve.internal.codec;

/// The bits of IEEE 754, made to compare as unsigned numbers: a positive number gets its sign bit
/// flipped; a negative one gets all bits flipped, since its magnitude counts the other way. NaN is
/// written in its one canonical form, so that equal keys have equal bytes.
public final class Float64Codec extends FixedLengthCodec<Double> {
  /// The only one: it has no state.
  public static final Float64Codec INSTANCE = new Float64Codec();

  private Float64Codec() {
    super("float64", Double.BYTES);
  }

  @Override
  void write(Double value, byte[] target) {
    long bits = Double.doubleToLongBits(value);
    LONG.set(target, 0, bits ^ (bits >> 63 | Long.MIN_VALUE));
  }

  @Override
  Double read(byte[] source, int from) {
    long ordered = (long) LONG.get(source, from);
    long bits = ordered ^ (~ordered >> 63 | Long.MIN_VALUE);
    double value = Double.longBitsToDouble(bits);
    if (bits != Double.doubleToLongBits(value)) {
      throw malformed("NaN", "canonical", "another");
    }
    return value;
  }
}
