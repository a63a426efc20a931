package io.varve.internal.codec;

/// One byte, 0 or 1.
public final class BoolCodec extends FixedLengthCodec<Boolean> {
  /// The only one: it has no state.
  public static final BoolCodec INSTANCE = new BoolCodec();

  private BoolCodec() {
    super("bool", 1);
  }

  @Override
  void write(Boolean value, byte[] target) {
    target[0] = (byte) (value ? 1 : 0);
  }

  @Override
  Boolean read(byte[] source, int from) {
    return switch (source[from]) {
      case 0 -> false;
      case 1 -> true;
      default -> throw malformed("byte", "0 or 1", "another");
    };
  }
}
