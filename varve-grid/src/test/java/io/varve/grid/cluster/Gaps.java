package io.varve.grid.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// How long clients had no answer after faults.
final class Gaps {
  /// A client that is not answered for longer counts with this.
  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final List<Gap> gaps = new ArrayList<>();

  /// The longest time that one writer was not answered.
  ///
  /// @param afterNanos from the fault to its begin
  /// @param isWedged whether it was not answered at all
  private record Gap(long afterNanos, long lengthNanos, boolean isWedged) {
    @Override
    public String toString() {
      return "%d ms after %d".formatted(millis(lengthNanos), millis(afterNanos));
    }
  }

  /// Adds the longest time, for each writer, between two calls that were answered, of those that
  /// came in the seconds after a fault.
  ///
  /// @param faultNanos when the fault came
  void add(List<Operation> operations, long faultNanos) {
    add(operations, faultNanos, faultNanos + WINDOW_NANOS);
  }

  /// The same up to a time, as where another fault came then.
  void add(List<Operation> operations, long faultNanos, long untilNanos) {
    Map<String, List<Long>> answers = new HashMap<>();
    for (Operation operation : operations) {
      if (operation.kind() != Operation.Kind.READ) {
        // The writer is in the key, before the number of the key.
        String writer = operation.key().substring(0, operation.key().lastIndexOf('-'));
        List<Long> ends = answers.computeIfAbsent(writer, _ -> new ArrayList<>());
        long end = operation.endNanos();
        if (operation.isAcknowledged() && end - faultNanos > 0 && end - untilNanos < 0) {
          ends.add(end - faultNanos);
        }
      }
    }
    for (List<Long> ends : answers.values()) {
      gaps.add(longest(ends.stream().sorted().toList(), untilNanos - faultNanos));
    }
  }

  private static Gap longest(List<Long> ends, long windowNanos) {
    Gap longest = new Gap(0, ends.isEmpty() ? windowNanos : 0, ends.isEmpty());
    long last = 0;
    for (long end : ends) {
      if (end - last > longest.lengthNanos()) {
        longest = new Gap(last, end - last, false);
      }
      last = end;
    }
    return longest;
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  /// The 50th and 95th percentile and the longest, in milliseconds, when the longest began, and how
  /// many had no answer at all.
  @Override
  public String toString() {
    List<Gap> sorted = gaps.stream().sorted(Comparator.comparingLong(Gap::lengthNanos)).toList();
    return sorted.isEmpty()
        ? "none"
        : "p50=%d ms, p95=%d ms, wedged=%d, longest=%s"
            .formatted(
                millis(sorted.get(sorted.size() / 2).lengthNanos()),
                millis(sorted.get(sorted.size() * 95 / 100).lengthNanos()),
                sorted.stream().filter(Gap::isWedged).count(),
                sorted.reversed().stream()
                    .limit(5)
                    .map(Gap::toString)
                    .collect(Collectors.joining(", ")));
  }
}
