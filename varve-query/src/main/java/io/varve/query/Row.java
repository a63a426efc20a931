package io.varve.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An answer of a query: values in columns that have names. Columns count from 0.
///
/// @since 1.0
public final class Row {
  private final List<String> columns;
  private final List<@Nullable Object> values;

  Row(List<String> columns, @Nullable Object[] values) {
    this.columns = columns;
    List<@Nullable Object> list = new ArrayList<>(values.length);
    Collections.addAll(list, values);
    this.values = Collections.unmodifiableList(list);
  }

  /// The names of the columns: aliases, or what the query wrote.
  public List<String> columns() {
    return columns;
  }

  /// The values, in the order of the columns.
  public List<@Nullable Object> values() {
    return values;
  }

  /// The value of a column.
  public @Nullable Object get(int column) {
    return values.get(column);
  }

  /// The value of a column by its name, whatever the case of its letters.
  ///
  /// @throws IllegalArgumentException if there is no such column
  public @Nullable Object get(String column) {
    Objects.requireNonNull(column, "column");
    for (int index = 0; index < columns.size(); index++) {
      if (columns.get(index).equalsIgnoreCase(column)) {
        return values.get(index);
      }
    }
    throw new IllegalArgumentException(
        "no such column: name=" + column.toLowerCase(Locale.ROOT) + ", columns=" + columns);
  }

  /// The value of a column, which has that type.
  ///
  /// @throws ClassCastException if it has another type
  public <T> @Nullable T get(String column, Class<T> type) {
    return type.cast(get(column));
  }

  /// The values by the names of their columns.
  public Map<String, @Nullable Object> asMap() {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (int index = 0; index < columns.size(); index++) {
      map.put(columns.get(index), values.get(index));
    }
    return map;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Row that && columns.equals(that.columns) && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(columns, values);
  }

  /// Names the columns only: values stay out of logs.
  @Override
  public String toString() {
    return "Row" + columns;
  }
}
