package io.varve.query.internal.access;

import io.varve.query.Values;
import org.jspecify.annotations.Nullable;

/// Values from one to another, in the order of [Values#compare]. Null is never among them.
///
/// @param low the least value in its normal form, or null for no bound
/// @param lowIncluded whether `low` is in it
/// @param high the greatest value, or null for no bound
/// @param highIncluded whether `high` is in it
record Interval(
    @Nullable Object low, boolean lowIncluded, @Nullable Object high, boolean highIncluded) {
  static final Interval ALL = new Interval(null, false, null, false);

  static Interval point(Object value) {
    return new Interval(value, true, value, true);
  }

  boolean isPoint() {
    return low != null && high != null && Values.compare(low, high) == 0;
  }

  boolean isEmpty() {
    if (low == null || high == null) {
      return false;
    }
    int order = Values.compare(low, high);
    return order > 0 || (order == 0 && !(lowIncluded && highIncluded));
  }

  Interval intersect(Interval other) {
    Interval below = compareLow(other) >= 0 ? this : other;
    Interval above = compareHigh(other) <= 0 ? this : other;
    return new Interval(below.low, below.lowIncluded, above.high, above.highIncluded);
  }

  boolean contains(Interval other) {
    return compareLow(other) <= 0 && compareHigh(other) >= 0;
  }

  /// Whether there is no value between this and a later one, or both share values.
  boolean touches(Interval later) {
    if (high == null || later.low == null) {
      return true;
    }
    int order = Values.compare(high, later.low);
    return order > 0 || (order == 0 && (highIncluded || later.lowIncluded));
  }

  Interval join(Interval later) {
    Interval above = compareHigh(later) >= 0 ? this : later;
    return new Interval(low, lowIncluded, above.high, above.highIncluded);
  }

  int compareLow(Interval other) {
    if (low == null || other.low == null) {
      return Boolean.compare(low != null, other.low != null);
    }
    int order = Values.compare(low, other.low);
    return order != 0 ? order : Boolean.compare(other.lowIncluded, lowIncluded);
  }

  private int compareHigh(Interval other) {
    if (high == null || other.high == null) {
      return Boolean.compare(high == null, other.high == null);
    }
    int order = Values.compare(high, other.high);
    return order != 0 ? order : Boolean.compare(highIncluded, other.highIncluded);
  }
}
