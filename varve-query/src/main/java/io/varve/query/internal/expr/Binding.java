package io.varve.query.internal.expr;

import io.varve.query.Values;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Values of the parameters of a query, by name; those that are numbered have their number as name.
public record Binding(Map<String, @Nullable Object> values) {
  /// No values.
  public static final Binding NONE = new Binding(Map.of());

  /// The value of a parameter, converted to its type. Of a collection each element is.
  @Nullable Object value(Expression.Parameter parameter) {
    if (!values.containsKey(parameter.name())) {
      throw new IllegalArgumentException(
          "a parameter has no value: name=" + parameter.name() + "; set it before the query runs");
    }
    Object value = values.get(parameter.name());
    if (value != null && value.getClass().isArray() && !(value instanceof byte[])) {
      value = Values.normal(value);
    }
    return switch (value) {
      case null -> null;
      case Collection<?> elements -> {
        List<@Nullable Object> converted = new ArrayList<>(elements.size());
        for (Object element : elements) {
          converted.add(element == null ? null : convert(parameter, element));
        }
        yield converted;
      }
      default -> convert(parameter, value);
    };
  }

  private static Object convert(Expression.Parameter parameter, Object value) {
    try {
      return Conversion.ofParameter(parameter.type(), value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a parameter does not fit: name=" + parameter.name() + "; " + e.getMessage(), e);
    }
  }
}
