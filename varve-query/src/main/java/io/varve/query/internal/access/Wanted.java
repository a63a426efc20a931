package io.varve.query.internal.access;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Which values of one attribute a condition can be true of.
///
/// @param nulls whether null is one of them
/// @param intervals the others, in order and disjoint
/// @param isExact whether the condition is true of all of them
record Wanted(boolean nulls, List<Interval> intervals, boolean isExact) {
  static final Wanted NULLS = new Wanted(true, List.of(), true);

  /// Puts intervals in order and joins those that overlap.
  static Wanted of(boolean nulls, List<Interval> intervals, boolean isExact) {
    List<Interval> sorted = new ArrayList<>(intervals);
    sorted.removeIf(Interval::isEmpty);
    sorted.sort(Comparator.comparing(interval -> interval, Interval::compareLow));
    List<Interval> joined = new ArrayList<>();
    for (Interval interval : sorted) {
      if (!joined.isEmpty() && joined.getLast().touches(interval)) {
        joined.set(joined.size() - 1, joined.getLast().join(interval));
      } else {
        joined.add(interval);
      }
    }
    return new Wanted(nulls, List.copyOf(joined), isExact);
  }

  static Wanted of(Interval interval) {
    return of(false, List.of(interval), true);
  }

  Wanted intersect(Wanted other) {
    List<Interval> common = new ArrayList<>();
    for (Interval mine : intervals) {
      for (Interval its : other.intervals) {
        common.add(mine.intersect(its));
      }
    }
    return of(nulls && other.nulls, common, isExact && other.isExact);
  }

  /// What one of some wants. All intervals are sorted together, as there may be thousands.
  static Wanted anyOf(List<Wanted> some) {
    return of(
        some.stream().anyMatch(Wanted::nulls),
        some.stream().flatMap(each -> each.intervals.stream()).toList(),
        some.stream().allMatch(Wanted::isExact));
  }

  boolean contains(Wanted other) {
    return (nulls || !other.nulls)
        && other.intervals.stream()
            .allMatch(its -> intervals.stream().anyMatch(mine -> mine.contains(its)));
  }

  boolean isNothing() {
    return !nulls && intervals.isEmpty();
  }

  boolean arePoints() {
    return intervals.stream().allMatch(Interval::isPoint);
  }

  int pointCount() {
    return intervals.size() + (nulls ? 1 : 0);
  }
}
