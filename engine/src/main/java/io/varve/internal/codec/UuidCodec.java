package io.varve.internal.codec;

import java.util.Comparator;
import java.util.UUID;

/// The 16 bytes of RFC 9562, in its order (section 6.11): as one unsigned number.
public final class UuidCodec extends FixedLengthCodec<UUID> {
  /// The only one: it has no state.
  public static final UuidCodec INSTANCE = new UuidCodec();

  private UuidCodec() {
    super("uuid", 2 * Long.BYTES);
  }

  @Override
  void write(UUID value, byte[] target) {
    LONG.set(target, 0, value.getMostSignificantBits());
    LONG.set(target, Long.BYTES, value.getLeastSignificantBits());
  }

  @Override
  UUID read(byte[] source, int from) {
    return new UUID((long) LONG.get(source, from), (long) LONG.get(source, from + Long.BYTES));
  }

  /// Not the natural order, which takes both halves as signed.
  @Override
  public Comparator<? super UUID> comparator() {
    return UuidCodec::compareUnsigned;
  }

  private static int compareUnsigned(UUID left, UUID right) {
    int order = Long.compareUnsigned(left.getMostSignificantBits(), right.getMostSignificantBits());
    return order != 0
        ? order
        : Long.compareUnsigned(left.getLeastSignificantBits(), right.getLeastSignificantBits());
  }
}
