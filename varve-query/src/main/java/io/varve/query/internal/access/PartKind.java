package io.varve.query.internal.access;

import io.varve.query.internal.expr.Conversion;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.YearMonth;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/// Which values the part of an index has, as far as the type of its attribute states it. It is part
/// of the definition: the same bytes of a row, read as another type, have other entries.
public enum PartKind {
  /// Values of any type.
  MIXED("", true),
  /// Texts, characters and constants of enums.
  TEXT(" of text", true),
  /// True and false.
  TRUTH(" of truth", true),
  /// Whole numbers of any size.
  WHOLE(" of whole", true),
  /// Doubles.
  DOUBLE(" of double", true),
  /// Floats: the nearest one to a fraction is not the nearest double.
  FLOAT(" of float", false),
  /// Decimal numbers.
  DECIMAL(" of decimal", false),
  /// Points in time.
  INSTANT(" of instant", false),
  /// Dates.
  LOCAL_DATE(" of date", false),
  /// Dates with times.
  LOCAL_DATE_TIME(" of datetime", false),
  /// Times.
  LOCAL_TIME(" of time", false),
  /// Years.
  YEAR(" of year", false),
  /// Months of years.
  YEAR_MONTH(" of month", false),
  /// Lengths of time.
  DURATION(" of duration", false),
  /// UUIDs.
  UUIDS(" of uuid", false),
  /// URIs and URLs.
  URIS(" of uri", false),
  /// Bytes.
  BYTES(" of bytes", false),
  /// Lists that are one value.
  LIST(" of list", false);

  private static final Map<Class<?>, PartKind> BY_TYPE =
      Map.ofEntries(
          Map.entry(Character.class, TEXT),
          Map.entry(Boolean.class, TRUTH),
          Map.entry(Byte.class, WHOLE),
          Map.entry(Short.class, WHOLE),
          Map.entry(Integer.class, WHOLE),
          Map.entry(Long.class, WHOLE),
          Map.entry(BigInteger.class, WHOLE),
          Map.entry(OptionalInt.class, WHOLE),
          Map.entry(OptionalLong.class, WHOLE),
          Map.entry(Double.class, DOUBLE),
          Map.entry(OptionalDouble.class, DOUBLE),
          Map.entry(Float.class, FLOAT),
          Map.entry(BigDecimal.class, DECIMAL),
          Map.entry(LocalDate.class, LOCAL_DATE),
          Map.entry(LocalDateTime.class, LOCAL_DATE_TIME),
          Map.entry(LocalTime.class, LOCAL_TIME),
          Map.entry(Year.class, YEAR),
          Map.entry(YearMonth.class, YEAR_MONTH),
          Map.entry(Duration.class, DURATION),
          Map.entry(UUID.class, UUIDS),
          Map.entry(URI.class, URIS),
          Map.entry(URL.class, URIS),
          Map.entry(byte[].class, BYTES));

  private final String text;
  private final boolean isOfDocuments;

  PartKind(String text, boolean isOfDocuments) {
    this.text = text;
    this.isOfDocuments = isOfDocuments;
  }

  /// The kind of the values of a type.
  public static PartKind of(Class<?> type) {
    PartKind known = BY_TYPE.get(type);
    if (known != null) {
      return known;
    }
    if (CharSequence.class.isAssignableFrom(type) || Enum.class.isAssignableFrom(type)) {
      return TEXT;
    }
    if (Conversion.isInstant(type)) {
      return INSTANT;
    }
    return type.isArray() || Collection.class.isAssignableFrom(type) ? LIST : MIXED;
  }

  /// As it is in a definition.
  public String text() {
    return text;
  }

  /// Whether JSON that has such values has the same ones if it is read as a document.
  public boolean isOfDocuments() {
    return isOfDocuments;
  }
}
