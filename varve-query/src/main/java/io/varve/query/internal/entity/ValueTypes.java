package io.varve.query.internal.entity;

import io.varve.query.Values;
import io.varve.query.internal.expr.Conversion;
import io.varve.query.internal.expr.Numbers;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Values that a query computed, as the types that objects keep.
final class ValueTypes {
  private ValueTypes() {}

  /// A value as that type.
  ///
  /// @throws IllegalArgumentException if it is no such value, or null for a primitive type
  static @Nullable Object fitting(Class<?> type, String name, @Nullable Object value) {
    if (type == Optional.class) {
      return value instanceof Optional<?> ? value : Optional.ofNullable(value);
    }
    if (value == null) {
      if (type.isPrimitive()) {
        throw new IllegalArgumentException("null for a primitive type: attribute=" + name);
      }
      return null;
    }
    Class<?> wrapped = MethodType.methodType(type).wrap().returnType();
    if (wrapped.isInstance(value)) {
      return value;
    }
    Object converted = converted(wrapped, Conversion.convert(wrapped, value));
    if (!wrapped.isInstance(converted)) {
      throw new IllegalArgumentException(
          "the value is of another type: attribute="
              + name
              + ", expected="
              + type.getName()
              + ", found="
              + value.getClass().getName());
    }
    return converted;
  }

  private static @Nullable Object converted(Class<?> type, Object value) {
    Object normal = Values.normal(value);
    if (normal instanceof Number number && Number.class.isAssignableFrom(type)) {
      return number(type, number);
    }
    if (normal instanceof Instant instant) {
      return time(type, instant);
    }
    if (type == String.class && normal instanceof String) {
      return normal;
    }
    if (type == Character.class && normal instanceof String text && text.length() == 1) {
      return text.charAt(0);
    }
    return value;
  }

  private static Object time(Class<?> type, Instant instant) {
    if (type == Date.class) {
      return Date.from(instant);
    }
    if (type == OffsetDateTime.class) {
      return instant.atOffset(ZoneOffset.UTC);
    }
    if (type == ZonedDateTime.class) {
      return instant.atZone(ZoneOffset.UTC);
    }
    return Date.class.isAssignableFrom(type) ? date(type, instant) : instant;
  }

  /// A `java.sql.Timestamp` has a method for it. Its module is missing where no program needs it.
  private static Object date(Class<?> type, Instant instant) {
    try {
      Method from = type.getMethod("from", Instant.class);
      return type.isAssignableFrom(from.getReturnType()) ? from.invoke(null, instant) : instant;
    } catch (ReflectiveOperationException _) {
      return instant; // the class has no such method, or no such value
    }
  }

  private static Object number(Class<?> type, Number number) {
    if (type == Double.class) {
      return number.doubleValue();
    }
    if (type == Float.class) {
      return number.floatValue();
    }
    BigDecimal exact = number instanceof Double d ? BigDecimal.valueOf(d) : Numbers.decimal(number);
    try {
      return switch (type.getSimpleName()) {
        case "Byte" -> exact.byteValueExact();
        case "Short" -> exact.shortValueExact();
        case "Integer" -> exact.intValueExact();
        case "Long" -> exact.longValueExact();
        case "BigInteger" -> exact.toBigIntegerExact();
        case "BigDecimal" -> exact;
        default -> number;
      };
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("the number does not fit: type=" + type.getName(), e);
    }
  }
}
