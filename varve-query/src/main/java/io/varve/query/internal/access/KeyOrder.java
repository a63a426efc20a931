package io.varve.query.internal.access;

import io.varve.Codec;
import io.varve.Space;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The keys of a table as an index of their own: for codecs whose byte order is that of
/// [io.varve.query.Values#compare].
final class KeyOrder {
  private static final double LONG_END = 0x1p63;
  private static final int LONG_DIGITS_MAX = 19;

  private final Codec<?> codec;

  private KeyOrder(Codec<?> codec) {
    this.codec = codec;
  }

  /// The order of the keys of a codec, or null if it is another one.
  static @Nullable KeyOrder of(Codec<?> codec) {
    for (Codec<?> ordered :
        new Codec<?>[] {
          Codec.string(),
          Codec.int64(),
          Codec.int32(),
          Codec.uuid(),
          Codec.instant(),
          Codec.localDate(),
          Codec.localDateTime(),
          Codec.duration(),
          Codec.bool()
        }) {
      if (ordered.equals(codec)) {
        return new KeyOrder(codec);
      }
    }
    return null;
  }

  /// The bytes of the key that equals a value in its normal form, or null if none does.
  byte @Nullable [] bytes(Object value) {
    return switch (value) {
      case String text when codec.equals(Codec.string()) -> text(text);
      case Number number when codec.equals(Codec.int64()) -> {
        Long whole = whole(number);
        yield whole == null ? null : Codec.int64().encode(whole);
      }
      case Number number when codec.equals(Codec.int32()) -> {
        Long whole = whole(number);
        yield whole == null || whole != whole.intValue()
            ? null
            : Codec.int32().encode(whole.intValue());
      }
      case UUID id when codec.equals(Codec.uuid()) -> Codec.uuid().encode(id);
      case Instant time when codec.equals(Codec.instant()) -> Codec.instant().encode(time);
      case LocalDate date when codec.equals(Codec.localDate()) -> Codec.localDate().encode(date);
      case LocalDateTime time when codec.equals(Codec.localDateTime()) ->
          Codec.localDateTime().encode(time);
      case Duration length when codec.equals(Codec.duration()) -> Codec.duration().encode(length);
      case Boolean truth when codec.equals(Codec.bool()) -> Codec.bool().encode(truth);
      default -> null;
    };
  }

  private static byte @Nullable [] text(String text) {
    boolean isWellFormed =
        text.codePoints()
            .noneMatch(
                point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    if (!isWellFormed) {
      return null;
    }
    byte[] bytes = Codec.string().encode(text);
    return bytes.length <= Space.KEY_BYTES_MAX ? bytes : null;
  }

  private static @Nullable Long whole(Number number) {
    return switch (number) {
      case Long value -> value;
      case Double value when value == Math.rint(value) && value >= -LONG_END && value < LONG_END ->
          value.longValue();
      case BigDecimal value when (long) value.precision() - value.scale() <= LONG_DIGITS_MAX ->
          whole(value);
      default -> null;
    };
  }

  private static @Nullable Long whole(BigDecimal value) {
    try {
      return value.longValueExact();
    } catch (ArithmeticException _) {
      return null; // it has a fraction, or is out of range
    }
  }
}
