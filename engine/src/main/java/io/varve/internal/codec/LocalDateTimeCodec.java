package io.varve.internal.codec;

import java.time.LocalDateTime;
import java.time.LocalTime;

/// A date and a time without a zone.
///
/// | offset | bytes | field | meaning                                             |
/// |-------:|------:|-------|-----------------------------------------------------|
/// |      0 |     6 | date  | as [LocalDateCodec] writes it                       |
/// |      6 |     8 | nanos | since midnight, 0..86,399,999,999,999, big-endian   |
public final class LocalDateTimeCodec extends FixedLengthCodec<LocalDateTime> {
  /// The only one: it has no state.
  public static final LocalDateTimeCodec INSTANCE = new LocalDateTimeCodec();

  private static final int NANOS_OFFSET = LocalDateCodec.BYTES;
  private static final long NANOS_MAX = LocalTime.MAX.toNanoOfDay();

  private LocalDateTimeCodec() {
    super("local-date-time", LocalDateCodec.BYTES + Long.BYTES);
  }

  @Override
  void write(LocalDateTime value, byte[] target) {
    LocalDateCodec.INSTANCE.write(value.toLocalDate(), target);
    LONG.set(target, NANOS_OFFSET, value.toLocalTime().toNanoOfDay());
  }

  @Override
  LocalDateTime read(byte[] source, int from) {
    long nanos = (long) LONG.get(source, from + NANOS_OFFSET);
    if (nanos < 0 || nanos > NANOS_MAX) {
      throw malformed("nanoseconds", "0.." + NANOS_MAX, "out of range");
    }
    return LocalDateCodec.INSTANCE.read(source, from).atTime(LocalTime.ofNanoOfDay(nanos));
  }
}
