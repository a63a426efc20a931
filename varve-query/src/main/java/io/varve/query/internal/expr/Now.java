package io.varve.query.internal.expr;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The time at which a query runs: parameters that the query sets itself, as its plan is kept.
public enum Now {
  /// `local date`
  DATE("local date", LocalDate.class),
  /// `local time`
  TIME("local time", LocalTime.class),
  /// `local datetime`
  DATE_TIME("local datetime", LocalDateTime.class);

  private final Expression.Parameter parameter;

  Now(String name, Class<?> type) {
    this.parameter = new Expression.Parameter(name, type);
  }

  /// The parameter, whose name no query can write.
  public Expression.Parameter parameter() {
    return parameter;
  }

  /// Whether one of these parameters asks for the time.
  public static boolean isOneOf(Set<String> names) {
    return names.contains(DATE.parameter.name())
        || names.contains(TIME.parameter.name())
        || names.contains(DATE_TIME.parameter.name());
  }

  /// Sets the time that it is.
  public static void set(Map<String, @Nullable Object> values, LocalDateTime now) {
    values.put(DATE.parameter.name(), now.toLocalDate());
    values.put(TIME.parameter.name(), now.toLocalTime());
    values.put(DATE_TIME.parameter.name(), now);
  }
}
