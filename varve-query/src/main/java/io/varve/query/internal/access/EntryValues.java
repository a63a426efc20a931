package io.varve.query.internal.access;

import io.varve.query.Attribute;
import io.varve.query.internal.expr.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.YearMonth;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The values of attributes as the entries of an index have them, in place of those of the rows.
///
/// - (VALUES-1) Only what is exactly the value of the row counts: types whose form has all of them,
///   in parts that neither fold case nor ask a collator. A `double` is none of these: zeros of both
///   signs are one value in an index.
/// - (VALUES-2) An entry with a value that was cut gives nothing; its row has to be read.
///
/// For one thread.
final class EntryValues {
  private static final Set<Class<?>> EXACT =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          UUID.class,
          Instant.class,
          LocalDate.class,
          LocalDateTime.class,
          LocalTime.class,
          Year.class,
          YearMonth.class,
          Duration.class);

  private final List<IndexPart> parts;
  private final @Nullable Object[] values;

  EntryValues(IndexForm index) {
    this.parts = index.parts();
    this.values = new @Nullable Object[parts.size()];
  }

  /// Whether the entries of an index have all of some attributes.
  static boolean have(IndexForm index, Collection<Attribute<?, ?>> attributes) {
    return attributes.stream().allMatch(attribute -> part(index.parts(), attribute) >= 0);
  }

  private static int part(List<IndexPart> parts, Attribute<?, ?> attribute) {
    for (int number = 0; number < parts.size(); number++) {
      IndexPart part = parts.get(number);
      if (isExact(part)
          && part.attribute().type() == attribute.type()
          && part.path().equals(attribute.path())) {
        return number;
      }
    }
    return -1;
  }

  private static boolean isExact(IndexPart part) {
    Class<?> type = part.attribute().type();
    return !part.isMany()
        && !part.codec().hasStringKeys()
        && (EXACT.contains(type) || type.isEnum());
  }

  /// Reads an entry.
  ///
  /// @return false if one of its values was cut
  boolean read(byte[] entry) {
    var reader = new PartReader(entry);
    for (int number = 0; number < values.length; number++) {
      IndexPart part = parts.get(number);
      if (isExact(part)) {
        values[number] = part.codec().read(reader);
      } else {
        part.codec().skip(reader);
      }
    }
    return reader.cutOffset() < 0;
  }

  /// The value of an attribute in the entry that was read, as objects have it.
  @Nullable Object value(Attribute<?, ?> attribute) {
    Object normal = values[part(parts, attribute)];
    return switch (normal) {
      case null -> null;
      case Number number -> whole(attribute.type(), number);
      case String name when attribute.type().isEnum() -> constant(attribute.type(), name);
      default -> normal;
    };
  }

  private static Number whole(Class<?> type, Number number) {
    long value = number instanceof Long whole ? whole : Numbers.decimal(number).longValueExact();
    if (type == Integer.class) {
      return (int) value;
    }
    if (type == Short.class) {
      return (short) value;
    }
    return type == Byte.class ? (Number) (byte) value : (Number) value;
  }

  private static Object constant(Class<?> type, String name) {
    for (Object constant : type.getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw new IllegalStateException(
        "an index has a constant that its enum has not: type="
            + type.getName()
            + "; give the index another version, so that it is built again");
  }
}
