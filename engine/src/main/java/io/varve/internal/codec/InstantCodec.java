package io.varve.internal.codec;

import java.time.Instant;

/// Seconds and nanoseconds. Nanoseconds count forward from the second before 1970 too, so only the
/// sign of the seconds needs to be flipped.
///
/// | offset | bytes | field   | meaning                                                    |
/// |-------:|------:|---------|------------------------------------------------------------|
/// |      0 |     8 | seconds | since 1970-01-01T00:00:00Z, big-endian, sign bit flipped   |
/// |      8 |     4 | nanos   | since the start of the second, 0..999,999,999, big-endian  |
public final class InstantCodec extends FixedLengthCodec<Instant> {
  /// The only one: it has no state.
  public static final InstantCodec INSTANCE = new InstantCodec();

  private static final int NANOS_OFFSET = Long.BYTES;
  private static final int NANOS_MAX = 999_999_999;

  private InstantCodec() {
    super("instant", Long.BYTES + Integer.BYTES);
  }

  @Override
  void write(Instant value, byte[] target) {
    LONG.set(target, 0, value.getEpochSecond() ^ Long.MIN_VALUE);
    INT.set(target, NANOS_OFFSET, value.getNano());
  }

  @Override
  Instant read(byte[] source, int from) {
    long seconds = (long) LONG.get(source, from) ^ Long.MIN_VALUE;
    int nanos = (int) INT.get(source, from + NANOS_OFFSET);
    if (nanos < 0 || nanos > NANOS_MAX) {
      throw malformed("nanoseconds", "0.." + NANOS_MAX, "out of range");
    }
    if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()) {
      throw malformed("seconds", "Instant.MIN..Instant.MAX", "out of range");
    }
    return Instant.ofEpochSecond(seconds, nanos);
  }
}
