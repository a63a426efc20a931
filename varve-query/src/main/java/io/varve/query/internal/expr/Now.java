package io.varve.query.internal.expr;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
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
  DATE_TIME("local datetime", LocalDateTime.class),
  /// The point in time of `local datetime`.
  INSTANT("instant of local datetime", Instant.class),
  /// The point in time at which `local date` begins.
  DAY_START("instant of local date", Instant.class);

  private final Expression.Parameter parameter;

  Now(String name, Class<?> type) {
    this.parameter = new Expression.Parameter(name, type);
  }

  /// The parameter, whose name no query can write.
  public Expression.Parameter parameter() {
    return parameter;
  }

  /// One of these times as it compares with values of a type; any other parameter as it is, or, of
  /// a date that meets a date and time, as one. With points in time a point is compared, since only
  /// [#set] knows the zone of the clock.
  public static Expression.Parameter comparedWith(Class<?> type, Expression.Parameter of) {
    boolean isDate = of.name().equals(DATE.parameter.name());
    if (Conversion.isInstant(type)) {
      return isDate ? DAY_START.parameter : of.equals(DATE_TIME.parameter) ? INSTANT.parameter : of;
    }
    return of.type() == LocalDate.class && type == LocalDateTime.class
        ? new Expression.Parameter(of.name(), type)
        : of;
  }

  /// Whether one of these parameters asks for the time.
  public static boolean isOneOf(Set<String> names) {
    return Arrays.stream(values()).anyMatch(now -> names.contains(now.parameter.name()));
  }

  /// Sets the time that it is.
  public static void set(Map<String, @Nullable Object> values, Clock clock) {
    ZonedDateTime now = ZonedDateTime.now(clock);
    values.put(DATE.parameter.name(), now.toLocalDate());
    values.put(TIME.parameter.name(), now.toLocalTime());
    values.put(DATE_TIME.parameter.name(), now.toLocalDateTime());
    values.put(INSTANT.parameter.name(), now.toInstant());
    values.put(
        DAY_START.parameter.name(), now.toLocalDate().atStartOfDay(now.getZone()).toInstant());
  }
}
