package io.varve.internal.codec;

import java.time.DateTimeException;
import java.time.LocalDate;

/// A date without a zone.
///
/// | offset | bytes | field | meaning                                            |
/// |-------:|------:|-------|----------------------------------------------------|
/// |      0 |     4 | year  | of the ISO calendar, big-endian, sign bit flipped  |
/// |      4 |     1 | month | 1..12                                              |
/// |      5 |     1 | day   | of the month, from 1                               |
public final class LocalDateCodec extends FixedLengthCodec<LocalDate> {
  /// The only one: it has no state.
  public static final LocalDateCodec INSTANCE = new LocalDateCodec();

  static final int BYTES = Integer.BYTES + 2;

  private static final int MONTH_OFFSET = Integer.BYTES;
  private static final int DAY_OFFSET = MONTH_OFFSET + 1;

  private LocalDateCodec() {
    super("local-date", BYTES);
  }

  @Override
  void write(LocalDate value, byte[] target) {
    INT.set(target, 0, value.getYear() ^ Integer.MIN_VALUE);
    target[MONTH_OFFSET] = (byte) value.getMonthValue();
    target[DAY_OFFSET] = (byte) value.getDayOfMonth();
  }

  @Override
  LocalDate read(byte[] source, int from) {
    int year = (int) INT.get(source, from) ^ Integer.MIN_VALUE;
    try {
      return LocalDate.of(year, source[from + MONTH_OFFSET], source[from + DAY_OFFSET]);
    } catch (DateTimeException _) { // names the user's contents
      throw malformed("year, month and day", "a date", "none");
    }
  }
}
