package io.varve.query.internal.expr;

import io.varve.query.Values;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Converts what a query contains to the type of what it is compared with: a text to a date, an
/// enum or a UUID, a number to the number that is nearest in a narrower type.
public final class Conversion {
  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern HEXADECIMAL = Pattern.compile("([0-9a-fA-F]{2})*");

  private Conversion() {}

  /// A value that compares with values of a type as is meant, in its normal form or that of the
  /// program. What needs no conversion stays as it is.
  ///
  /// @throws IllegalArgumentException if a text is none of the type
  public static Object convert(Class<?> type, Object value) {
    try {
      return switch (Values.normal(value)) {
        case String text -> ofText(type, text, value);
        case Number number -> ofNumber(type, number, value);
        case LocalDate date when isInstant(type) -> date.atStartOfDay().toInstant(ZoneOffset.UTC);
        case LocalDateTime time when isInstant(type) -> time.toInstant(ZoneOffset.UTC);
        case LocalDate date when type == LocalDateTime.class -> date.atStartOfDay();
        case null, default -> value;
      };
    } catch (DateTimeException | NumberFormatException | URISyntaxException e) {
      throw refusal(type, e);
    }
  }

  /// The value of a parameter, as it compares with values of a type.
  ///
  /// @throws IllegalArgumentException if a text is none of the type. So is a point in time that
  ///   meets a date without a zone, and a date and time that meets a date.
  static Object ofParameter(Class<?> type, Object value) {
    return switch (Values.normal(value)) {
      case LocalDateTime _ when type == LocalDate.class ->
          throw new IllegalArgumentException(
              "a date and time is no LocalDate: set the date that is meant");
      case Instant _ when type == LocalDateTime.class || type == LocalDate.class ->
          throw new IllegalArgumentException(
              "a point in time is no " + name(type) + ": set one of the zone that is meant");
      case null, default -> convert(type, value);
    };
  }

  private static IllegalArgumentException refusal(Class<?> type, @Nullable Throwable cause) {
    return new IllegalArgumentException("the text is no " + name(type) + form(type), cause);
  }

  private static Object ofText(Class<?> type, String text, Object value) throws URISyntaxException {
    if (type == Object.class || type == String.class || CharSequence.class.isAssignableFrom(type)) {
      return value;
    }
    if (type.isEnum()) {
      return constant(type, text);
    }
    if (type == Boolean.class) {
      return truth(text);
    }
    if (Number.class.isAssignableFrom(type)) {
      return ofNumber(type, Numbers.normal(decimal(text.strip())), value);
    }
    if (type == UUID.class) {
      return uuid(text);
    }
    if (type == URI.class) {
      return new URI(text);
    }
    if (type == byte[].class) {
      if (!HEXADECIMAL.matcher(text).matches()) {
        throw refusal(type, null);
      }
      return HexFormat.of().parseHex(text);
    }
    return isInstant(type) ? instant(text) : time(type, text);
  }

  private static Number decimal(String text) {
    BigDecimal decimal = new BigDecimal(text);
    if (Math.abs((long) decimal.scale()) > Numbers.DIGITS_MAX) {
      throw new NumberFormatException("out of range");
    }
    return decimal;
  }

  private static Object time(Class<?> type, String text) {
    if (type == LocalDate.class) {
      return LocalDate.parse(text);
    }
    if (type == LocalDateTime.class) {
      String joined = text.replace(' ', 'T');
      return joined.contains("T")
          ? LocalDateTime.parse(joined)
          : LocalDate.parse(joined).atStartOfDay();
    }
    if (type == LocalTime.class) {
      return LocalTime.parse(text);
    }
    if (type == Duration.class) {
      return Duration.parse(text);
    }
    if (type == Year.class) {
      return Year.parse(text);
    }
    if (type == YearMonth.class) {
      return YearMonth.parse(text);
    }
    return text;
  }

  /// Whether values of a type are points in time.
  public static boolean isInstant(Class<?> type) {
    return type == Instant.class
        || type == OffsetDateTime.class
        || type == ZonedDateTime.class
        || Date.class.isAssignableFrom(type)
        || Calendar.class.isAssignableFrom(type);
  }

  /// A date, a date and a time, or both with an offset; without one it is UTC.
  private static Instant instant(String text) {
    String joined = text.replace(' ', 'T');
    if (!joined.contains("T")) {
      return LocalDate.parse(joined).atStartOfDay().toInstant(ZoneOffset.UTC);
    }
    String time = joined.substring(joined.indexOf('T'));
    boolean hasOffset = time.endsWith("Z") || time.contains("+") || time.contains("-");
    return hasOffset
        ? OffsetDateTime.parse(joined).toInstant()
        : LocalDateTime.parse(joined).toInstant(ZoneOffset.UTC);
  }

  private static Object uuid(String text) {
    if (!UUID_FORM.matcher(text).matches()) {
      throw refusal(UUID.class, null);
    }
    return UUID.fromString(text);
  }

  private static Object truth(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw refusal(Boolean.class, null);
    };
  }

  private static Object constant(Class<?> type, String text) {
    StringBuilder names = new StringBuilder();
    for (Object each : type.getEnumConstants()) {
      String name = ((Enum<?>) each).name();
      if (name.equals(text)) {
        return each;
      }
      names.append(names.isEmpty() ? "" : ", ").append(name);
    }
    throw new IllegalArgumentException("the text is no " + name(type) + "; there are " + names);
  }

  /// A fraction as it is written is the nearest number of a narrower type.
  private static Object ofNumber(Class<?> type, Number number, Object value) {
    if (type == Float.class && !(number instanceof Long)) {
      return number.floatValue();
    }
    if (type == Double.class && number instanceof BigDecimal) {
      return number.doubleValue();
    }
    if (type == BigDecimal.class
        && number instanceof Double fraction
        && Double.isFinite(fraction)) {
      return BigDecimal.valueOf(fraction);
    }
    return value instanceof String ? number : value;
  }

  /// The name of a type for people.
  public static String name(Class<?> type) {
    return type.getSimpleName();
  }

  private static String form(Class<?> type) {
    if (isInstant(type)) {
      return "; write it like 2026-01-31T12:00:00Z";
    }
    return switch (type.getSimpleName()) {
      case "LocalDate" -> "; write it like 2026-01-31";
      case "LocalDateTime" -> "; write it like 2026-01-31T12:00";
      case "LocalTime" -> "; write it like 12:00:59";
      case "Duration" -> "; write it like PT1H30M";
      case "UUID" -> "; write it like 123e4567-e89b-12d3-a456-426614174000";
      case "byte[]" -> "; write it as hexadecimal digits";
      default -> "";
    };
  }
}
