package io.varve.internal.codec;

import java.time.Duration;

/// Seconds and nanoseconds. Nanoseconds count forward in negative durations too, so only the sign
/// of the seconds needs to be flipped.
///
/// | offset | bytes | field   | meaning                                  |
/// |-------:|------:|---------|------------------------------------------|
/// |      0 |     8 | seconds | big-endian, sign bit flipped             |
/// |      8 |     4 | nanos   | 0..999,999,999, big-endian               |
public final class DurationCodec extends FixedLengthCodec<Duration> {
  /// The only one: it has no state.
  public static final DurationCodec INSTANCE = new DurationCodec();

  private static final int NANOS_OFFSET = Long.BYTES;
  private static final int NANOS_MAX = 999_999_999;

  private DurationCodec() {
    super("duration", Long.BYTES + Integer.BYTES);
  }

  @Override
  void write(Duration value, byte[] target) {
    LONG.set(target, 0, value.getSeconds() ^ Long.MIN_VALUE);
    INT.set(target, NANOS_OFFSET, value.getNano());
  }

  @Override
  Duration read(byte[] source, int from) {
    int nanos = (int) INT.get(source, from + NANOS_OFFSET);
    if (nanos < 0 || nanos > NANOS_MAX) {
      throw malformed("nanoseconds", "0.." + NANOS_MAX, "out of range");
    }
    return Duration.ofSeconds((long) LONG.get(source, from) ^ Long.MIN_VALUE, nanos);
  }
}
