package io.varve.query.internal.expr;

import io.varve.query.Values;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The values of an `in` that are the same for all rows, so that a row looks its value up and is
/// not compared with each. Immutable.
///
/// @param values in their normal form and in the order of [Values]
/// @param hasNull whether one more of them is null
public record ConstantSet(NavigableSet<Object> values, boolean hasNull) {
  /// The values of literals, whose lists stand for their elements. Null if one of them is a list or
  /// has no order of its own: documents that are equal may be apart in the order, so each is
  /// compared.
  static @Nullable ConstantSet of(List<? extends @Nullable Object> literals) {
    NavigableSet<Object> values = new TreeSet<>(Values::compare);
    boolean hasNull = false;
    for (Object literal : literals) {
      for (Object value : elements(Values.normal(literal))) {
        switch (ValueKind.of(value)) {
          case NULL -> hasNull = true;
          case LIST, OTHER -> {
            return null;
          }
          default -> values.add(Objects.requireNonNull(value));
        }
      }
    }
    return new ConstantSet(Collections.unmodifiableNavigableSet(values), hasNull);
  }

  /// The elements of a list, or the one value.
  static List<? extends @Nullable Object> elements(@Nullable Object value) {
    return value instanceof List<?> list ? list : Collections.singletonList(value);
  }

  /// Whether a value is one of these: unknown, which is null, if a null may be the one.
  @Nullable Boolean has(@Nullable Object value) {
    if (value == null) {
      return (values.isEmpty() && !hasNull) ? false : null;
    }
    return values.contains(value) ? (Boolean) true : hasNull ? null : false;
  }
}
