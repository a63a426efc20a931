package io.varve;

/// The range of an option that is a number.
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
}
