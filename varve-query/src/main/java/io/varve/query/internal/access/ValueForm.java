package io.varve.query.internal.access;

import io.varve.query.internal.expr.ValueKind;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Values of any type but null as bytes in the order of [io.varve.query.Values#compare]: a tag for
/// the kind, and what the kind needs. No value's bytes begin those of another one that is not
/// equal.
///
/// Values of classes that have no form all have the same bytes, as if they were cut.
final class ValueForm {
  /// Between these are the tags of all values, and their complements.
  static final int TAG_MIN = 0x10;

  static final int TAG_END = 0xf0;

  private static final int FALSE = TAG_MIN;
  private static final int TRUE = 0x11;
  private static final int INSTANT = 0x68;
  private static final int LOCAL_DATE = 0x69;
  private static final int LOCAL_DATE_TIME = 0x6a;
  private static final int LOCAL_TIME = 0x6b;
  private static final int YEAR = 0x6c;
  private static final int YEAR_MONTH = 0x6d;
  private static final int DURATION = 0x6e;
  static final int STRING = 0x78;
  private static final int UUID_TAG = 0x79;
  private static final int URI_TAG = 0x7a;
  private static final int BYTES = 0x7b;
  private static final int LIST = 0x7c;

  /// All that is after: values of other classes are one as long as they are not read.
  private static final int OTHER = 0x7d;

  /// Only inside of lists, where nulls are values.
  private static final int NULL = 0x08;

  /// The days from year -999,999,999 to 999,999,999 take 40 bits, and the months too.
  private static final int DAY_BYTES = 5;

  private static final long DAY_BIAS = 1L << 39;
  private static final int NANO_OF_DAY_BYTES = 6;

  private ValueForm() {}

  /// Writes a value.
  ///
  /// @param normal in its normal form
  /// @param runBytesMax how much of a long value is written
  /// @return how many bytes the sink has up to the digest, if the value was cut, or -1
  static int write(Object normal, int runBytesMax, ByteSink sink) {
    return switch (ValueKind.of(normal)) {
      case NUMBER -> NumberForm.write((Number) normal, runBytesMax, sink);
      case STRING -> RunForm.write(TextForm.bytes((String) normal), runBytesMax, sink.add(STRING));
      case URI -> RunForm.write(TextForm.bytes(normal.toString()), runBytesMax, sink.add(URI_TAG));
      case BYTES -> RunForm.write((byte[]) normal, runBytesMax, sink.add(BYTES));
      case LIST -> writeList((List<?>) normal, runBytesMax, sink.add(LIST));
      case OTHER -> sink.add(OTHER).length();
      default -> {
        writeFixed(normal, sink);
        yield -1;
      }
    };
  }

  /// Writes the elements one after the other. After one without an order nothing is known.
  private static int writeList(List<?> list, int runBytesMax, ByteSink sink) {
    var elements = new ByteSink();
    for (Object element : list) {
      if (element == null) {
        elements.add(NULL);
      } else if (write(element, Integer.MAX_VALUE, elements) >= 0) {
        byte[] known = elements.toBytes();
        return RunForm.writeCut(
            known, Math.min(known.length, runBytesMax), new byte[Digest.BYTES], sink);
      }
    }
    return RunForm.write(elements.toBytes(), runBytesMax, sink);
  }

  private static void writeFixed(Object normal, ByteSink sink) {
    switch (normal) {
      case Boolean value -> sink.add(value ? TRUE : FALSE);
      case Instant value ->
          writeSeconds(value.getEpochSecond(), value.getNano(), sink.add(INSTANT));
      case Duration value -> writeSeconds(value.getSeconds(), value.getNano(), sink.add(DURATION));
      case LocalDate value ->
          sink.add(LOCAL_DATE).addBigEndian(value.toEpochDay() + DAY_BIAS, DAY_BYTES);
      case LocalDateTime value ->
          sink.add(LOCAL_DATE_TIME)
              .addBigEndian(value.toLocalDate().toEpochDay() + DAY_BIAS, DAY_BYTES)
              .addBigEndian(value.toLocalTime().toNanoOfDay(), NANO_OF_DAY_BYTES);
      case LocalTime value ->
          sink.add(LOCAL_TIME).addBigEndian(value.toNanoOfDay(), NANO_OF_DAY_BYTES);
      case Year value -> sink.add(YEAR).addBigEndian(value.getValue() + DAY_BIAS, DAY_BYTES);
      case YearMonth value ->
          sink.add(YEAR_MONTH).addBigEndian(months(value) + DAY_BIAS, DAY_BYTES);
      case UUID value ->
          sink.add(UUID_TAG)
              .addBigEndian(value.getMostSignificantBits(), Long.BYTES)
              .addBigEndian(value.getLeastSignificantBits(), Long.BYTES);
      default -> throw new IllegalStateException("no form for values of " + normal.getClass());
    }
  }

  private static void writeSeconds(long seconds, int nanos, ByteSink sink) {
    sink.addBigEndian(seconds ^ Long.MIN_VALUE, Long.BYTES).addBigEndian(nanos, Integer.BYTES);
  }

  private static long months(YearMonth value) {
    return value.getYear() * 12L + value.getMonthValue() - 1;
  }

  static void skip(PartReader reader) {
    int tag = reader.peek();
    if (tag >= NumberForm.TAG_MIN && tag <= NumberForm.TAG_MAX) {
      NumberForm.skip(reader);
      return;
    }
    reader.skip(1);
    switch (tag) {
      case FALSE, TRUE -> {}
      case INSTANT, DURATION -> reader.skip(Long.BYTES + Integer.BYTES);
      case LOCAL_DATE, YEAR, YEAR_MONTH -> reader.skip(DAY_BYTES);
      case LOCAL_DATE_TIME -> reader.skip(DAY_BYTES + NANO_OF_DAY_BYTES);
      case LOCAL_TIME -> reader.skip(NANO_OF_DAY_BYTES);
      case UUID_TAG -> reader.skip(2 * Long.BYTES);
      case STRING, URI_TAG, BYTES, LIST -> RunForm.skip(reader);
      case OTHER -> reader.noteCut();
      default -> throw unknown(tag);
    }
  }

  /// Reads a value in its normal form. Of one that was cut, what is there of it.
  ///
  /// @throws IllegalArgumentException if it is of a class that has no form
  static Object read(PartReader reader) {
    int tag = reader.peek();
    if (tag >= NumberForm.TAG_MIN && tag <= NumberForm.TAG_MAX) {
      return NumberForm.read(reader);
    }
    reader.skip(1);
    return switch (tag) {
      case FALSE -> false;
      case TRUE -> true;
      case INSTANT -> Instant.ofEpochSecond(readSeconds(reader), readNanos(reader));
      case DURATION -> Duration.ofSeconds(readSeconds(reader), readNanos(reader));
      case LOCAL_DATE -> readDay(reader);
      case LOCAL_DATE_TIME -> LocalDateTime.of(readDay(reader), readTime(reader));
      case LOCAL_TIME -> readTime(reader);
      case YEAR -> Year.of((int) readBiased(reader));
      case YEAR_MONTH -> readMonth(reader);
      case UUID_TAG -> new UUID(reader.nextBigEndian(Long.BYTES), reader.nextBigEndian(Long.BYTES));
      case STRING -> TextForm.text(RunForm.read(reader));
      case URI_TAG -> URI.create(TextForm.text(RunForm.read(reader)));
      case BYTES -> RunForm.read(reader);
      case LIST -> readList(new PartReader(RunForm.read(reader)));
      default -> throw unknown(tag);
    };
  }

  private static long readSeconds(PartReader reader) {
    return reader.nextBigEndian(Long.BYTES) ^ Long.MIN_VALUE;
  }

  private static long readNanos(PartReader reader) {
    return reader.nextBigEndian(Integer.BYTES);
  }

  private static long readBiased(PartReader reader) {
    return reader.nextBigEndian(DAY_BYTES) - DAY_BIAS;
  }

  private static LocalDate readDay(PartReader reader) {
    return LocalDate.ofEpochDay(readBiased(reader));
  }

  private static LocalTime readTime(PartReader reader) {
    return LocalTime.ofNanoOfDay(reader.nextBigEndian(NANO_OF_DAY_BYTES));
  }

  private static YearMonth readMonth(PartReader reader) {
    long months = readBiased(reader);
    return YearMonth.of((int) Math.floorDiv(months, 12L), Math.floorMod(months, 12) + 1);
  }

  private static List<@Nullable Object> readList(PartReader reader) {
    List<@Nullable Object> list = new ArrayList<>();
    while (reader.hasNext()) {
      if (reader.peek() == NULL) {
        reader.skip(1);
        list.add(null);
      } else {
        list.add(read(reader));
      }
    }
    return list;
  }

  private static IllegalArgumentException unknown(int tag) {
    return new IllegalArgumentException("not an entry of this index: tag=" + tag);
  }
}
