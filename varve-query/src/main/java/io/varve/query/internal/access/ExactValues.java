package io.varve.query.internal.access;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Values of answers as bytes, from which the same values are read again: those that come from
/// temporary files are no others than those that stayed in memory. A value without such a form,
/// such as a whole object, stays in memory, and its number is written.
///
/// For one thread.
final class ExactValues {
  private static final int NULL = 0;
  private static final int LONG = 1;
  private static final int INTEGER = 2;
  private static final int DOUBLE = 3;
  private static final int DECIMAL = 4;
  private static final int FORM = 5;
  private static final int HELD = 6;

  private final List<Object> held = new ArrayList<>();

  /// Constants are few and come often: each is held once.
  private final IdentityHashMap<Enum<?>, Integer> constants = new IdentityHashMap<>();

  void write(@Nullable Object value, ByteSink sink) {
    switch (value) {
      case null -> sink.add(NULL);
      case Long number -> sink.add(LONG).addBigEndian(number, Long.BYTES);
      case Integer number -> sink.add(INTEGER).addBigEndian(number, Integer.BYTES);
      case Double number ->
          sink.add(DOUBLE).addBigEndian(Double.doubleToRawLongBits(number), Long.BYTES);
      case BigDecimal number -> write(number, sink);
      case String _, Boolean _, UUID _, Instant _, Duration _ -> form(value, sink);
      case LocalDate _, LocalDateTime _, LocalTime _, Year _, YearMonth _ -> form(value, sink);
      case Enum<?> constant -> held(constants.computeIfAbsent(constant, this::hold), sink);
      default -> held(hold(value), sink);
    }
  }

  private static void write(BigDecimal number, ByteSink sink) {
    byte[] digits = number.unscaledValue().toByteArray();
    sink.add(DECIMAL)
        .addBigEndian(number.scale(), Integer.BYTES)
        .addBigEndian(digits.length, Integer.BYTES)
        .add(digits);
  }

  private static void form(Object value, ByteSink sink) {
    ValueForm.write(value, Integer.MAX_VALUE, sink.add(FORM));
  }

  private int hold(Object value) {
    held.add(value);
    return held.size() - 1;
  }

  private static void held(int number, ByteSink sink) {
    sink.add(HELD).addBigEndian(number, Integer.BYTES);
  }

  @Nullable Object read(PartReader reader) {
    return switch (reader.next()) {
      case NULL -> null;
      case LONG -> reader.nextBigEndian(Long.BYTES);
      case INTEGER -> (int) reader.nextBigEndian(Integer.BYTES);
      case DOUBLE -> Double.longBitsToDouble(reader.nextBigEndian(Long.BYTES));
      case DECIMAL -> readDecimal(reader);
      case FORM -> ValueForm.read(reader);
      default -> held.get((int) reader.nextBigEndian(Integer.BYTES));
    };
  }

  private static BigDecimal readDecimal(PartReader reader) {
    int scale = (int) reader.nextBigEndian(Integer.BYTES);
    byte[] digits = new byte[(int) reader.nextBigEndian(Integer.BYTES)];
    for (int i = 0; i < digits.length; i++) {
      digits[i] = (byte) reader.next();
    }
    return new BigDecimal(new BigInteger(digits), scale);
  }
}
