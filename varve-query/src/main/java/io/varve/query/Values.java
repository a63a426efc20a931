package io.varve.query;

import io.varve.query.internal.expr.Numbers;
import io.varve.query.internal.expr.ValueKind;
import java.lang.reflect.Array;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The one order of values of any types, in queries and in indexes.
///
/// Null comes first, then false, true, numbers by value, points in time, dates, dates with times,
/// times, years, months, durations; then strings by code point, UUIDs by their bytes, URIs by their
/// text, bytes unsigned, lists by their elements, and then all others.
///
/// - **Numbers** of all types compare exactly: 1, 1L, 1.0 and `new BigDecimal("1.00")` are equal.
/// - **Points in time** are `Instant`, `Date` and its subclasses, `Calendar`, `ZonedDateTime` and
///   `OffsetDateTime`, by the instant alone.
/// - **Enums** are strings: their names. Characters are strings, too.
/// - **Optionals** are what they hold, or null. Arrays, except of bytes, and collections are lists.
/// - **Nodes of Jackson** are the values that they stand for.
/// - **Others** come by class name, then in their natural order, or by `toString()`. An `order by`
///   and an index take all of them for equal, as they have no bytes in that order.
///
/// @since 1.0
public final class Values {
  private Values() {}

  /// Compares two values. Zero means that queries take them for equal.
  public static int compare(@Nullable Object left, @Nullable Object right) {
    return compareNormal(normal(left), normal(right));
  }

  /// The form in which equal values of different types are the same type, where there is one: for
  /// example a `Long` of any smaller integer, an `Instant` of a `Date`.
  public static @Nullable Object normal(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String text -> text;
      case Number number -> Numbers.normal(number);
      case Boolean truth -> truth;
      case Enum<?> constant -> constant.name();
      case Character character -> character.toString();
      case CharSequence text -> text.toString();
      case Instant _, LocalDate _, LocalDateTime _, LocalTime _, Year _, YearMonth _ -> value;
      case Duration _, UUID _, URI _, byte[] _ -> value;
      case Date date -> instant(date);
      case Calendar calendar -> calendar.toInstant();
      case ZonedDateTime time -> time.toInstant();
      case OffsetDateTime time -> time.toInstant();
      case URL url -> URI.create(url.toString());
      case Optional<?> optional -> normal(optional.orElse(null));
      case OptionalInt optional ->
          optional.isPresent() ? (Object) (long) optional.getAsInt() : null;
      case OptionalLong optional -> optional.isPresent() ? (Object) optional.getAsLong() : null;
      case OptionalDouble optional -> optional.isPresent() ? (Object) optional.getAsDouble() : null;
      case JsonNode node -> json(node);
      case Collection<?> elements -> list(elements);
      default -> value.getClass().isArray() ? array(value) : value;
    };
  }

  /// Dates of SQL have no time, and refuse to be instants.
  @SuppressWarnings("JavaUtilDate") // it is what the objects have
  private static Instant instant(Date date) {
    try {
      return date.toInstant();
    } catch (UnsupportedOperationException _) {
      return Instant.ofEpochMilli(date.getTime());
    }
  }

  private static @Nullable Object json(JsonNode node) {
    return switch (node.getNodeType()) {
      case STRING -> node.stringValue();
      case BOOLEAN -> node.booleanValue();
      case NUMBER -> Numbers.normal(node.numberValue());
      case NULL, MISSING -> null;
      case ARRAY -> list(node);
      case BINARY -> node.binaryValue();
      case OBJECT, POJO -> node;
    };
  }

  private static List<@Nullable Object> list(Iterable<?> elements) {
    List<@Nullable Object> list = new ArrayList<>();
    for (Object element : elements) {
      list.add(normal(element));
    }
    return list;
  }

  private static List<@Nullable Object> array(Object array) {
    int length = Array.getLength(array);
    List<@Nullable Object> list = new ArrayList<>(length);
    for (int index = 0; index < length; index++) {
      list.add(normal(Array.get(array, index)));
    }
    return list;
  }

  /// Compares two values that are in their normal form.
  static int compareNormal(@Nullable Object left, @Nullable Object right) {
    ValueKind kind = ValueKind.of(left);
    ValueKind other = ValueKind.of(right);
    if (kind != other || left == null || right == null) {
      return kind.compareTo(other);
    }
    return switch (kind) {
      case NULL -> 0;
      case BOOLEAN -> Boolean.compare((Boolean) left, (Boolean) right);
      case NUMBER -> Numbers.compare((Number) left, (Number) right);
      case STRING -> compareText((String) left, (String) right);
      case INSTANT, LOCAL_DATE, LOCAL_DATE_TIME, LOCAL_TIME, YEAR, YEAR_MONTH, DURATION ->
          compareNaturally(left, right);
      case UUID -> compareUuids((UUID) left, (UUID) right);
      case URI -> compareText(left.toString(), right.toString());
      case BYTES -> Arrays.compareUnsigned((byte[]) left, (byte[]) right);
      case LIST -> compareLists((List<?>) left, (List<?>) right);
      case OTHER -> compareOthers(left, right);
    };
  }

  @SuppressWarnings("unchecked") // both are of one class, which is comparable
  private static int compareNaturally(Object left, Object right) {
    return ((Comparable<Object>) left).compareTo(right);
  }

  private static int compareUuids(UUID left, UUID right) {
    int high = Long.compareUnsigned(left.getMostSignificantBits(), right.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(left.getLeastSignificantBits(), right.getLeastSignificantBits());
  }

  /// By code point: a surrogate, which belongs to a character above U+FFFF, comes after all others.
  private static int compareText(String left, String right) {
    int common = Math.min(left.length(), right.length());
    for (int index = 0; index < common; index++) {
      char a = left.charAt(index);
      char b = right.charAt(index);
      if (a != b) {
        boolean high = Character.isSurrogate(a);
        return high == Character.isSurrogate(b) ? Character.compare(a, b) : high ? 1 : -1;
      }
    }
    return Integer.compare(left.length(), right.length());
  }

  private static int compareLists(List<?> left, List<?> right) {
    int common = Math.min(left.size(), right.size());
    for (int index = 0; index < common; index++) {
      int order = compareNormal(left.get(index), right.get(index));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.size(), right.size());
  }

  private static int compareOthers(Object left, Object right) {
    if (left.equals(right)) {
      return 0;
    }
    int order = left.getClass().getName().compareTo(right.getClass().getName());
    if (order != 0) {
      return order;
    }
    if (left instanceof Comparable<?> && left.getClass() == right.getClass()) {
      return compareNaturally(left, right);
    }
    order = left.toString().compareTo(right.toString());
    return order != 0 ? order : Integer.compare(left.hashCode(), right.hashCode());
  }
}
