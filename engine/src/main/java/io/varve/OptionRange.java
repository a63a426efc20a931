package io.varve;

import java.time.Duration;
import java.util.Objects;

/// The range of an option that is a number or a time.
final class OptionRange {
  private OptionRange() {}

  /// Refuses a value out of range.
  ///
  /// @throws IllegalArgumentException if it is; names the option and its range
  static void require(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " out of range: " + name + "=" + value + ", min=" + min + ", max=" + max);
    }
  }

  /// Refuses a time out of range.
  ///
  /// @throws IllegalArgumentException if it is; names the option and its range
  /// @throws NullPointerException if there is none; names the option
  static void require(String name, Duration value, Duration min, Duration max) {
    Objects.requireNonNull(value, name);
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          name + " out of range: " + name + "=" + value + ", min=" + min + ", max=" + max);
    }
  }
}
