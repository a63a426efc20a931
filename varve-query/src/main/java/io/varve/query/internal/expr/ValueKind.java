package io.varve.query.internal.expr;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.YearMonth;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The kinds of values, in the order in which values of different kinds come.
public enum ValueKind {
  /// No value.
  NULL,
  /// False, then true.
  BOOLEAN,
  /// A `Long`, `Double` or `BigDecimal`, by value.
  NUMBER,
  /// A point in time.
  INSTANT,
  /// A date.
  LOCAL_DATE,
  /// A date and a time.
  LOCAL_DATE_TIME,
  /// A time.
  LOCAL_TIME,
  /// A year.
  YEAR,
  /// A month of a year.
  YEAR_MONTH,
  /// A length of time.
  DURATION,
  /// A string, by code point.
  STRING,
  /// A UUID, by its bytes.
  UUID,
  /// A URI, by its text.
  URI,
  /// Bytes, unsigned.
  BYTES,
  /// A list, element by element.
  LIST,
  /// Anything else.
  OTHER;

  /// The kind of a value in its normal form ([io.varve.query.Values#normal]).
  public static ValueKind of(@Nullable Object normal) {
    return switch (normal) {
      case null -> NULL;
      case String _ -> STRING;
      case Number _ -> NUMBER;
      case Boolean _ -> BOOLEAN;
      case Instant _ -> INSTANT;
      case LocalDate _ -> LOCAL_DATE;
      case LocalDateTime _ -> LOCAL_DATE_TIME;
      case LocalTime _ -> LOCAL_TIME;
      case Year _ -> YEAR;
      case YearMonth _ -> YEAR_MONTH;
      case Duration _ -> DURATION;
      case UUID _ -> UUID;
      case URI _ -> URI;
      case byte[] _ -> BYTES;
      case List<?> _ -> LIST;
      default -> OTHER;
    };
  }
}
