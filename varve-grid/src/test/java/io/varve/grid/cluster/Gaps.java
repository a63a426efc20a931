package io.varve.grid.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// How long clients had no answer after faults.
final class Gaps {
  /// A client that is not answered for longer counts with this.
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final List<Long> millis = new ArrayList<>();

  /// Adds the longest time, for each writer, between two calls that were answered, of those that
  /// came in the seconds after a fault.
  ///
  /// @param faultNanos when the fault came
  void add(List<Operation> operations, long faultNanos) {
    Map<String, List<Long>> answers = new HashMap<>();
    for (Operation operation : operations) {
      if (operation.kind() != Operation.Kind.READ) {
        // The writer is in the key, before the number of the key.
        String writer = operation.key().substring(0, operation.key().lastIndexOf('-'));
        List<Long> ends = answers.computeIfAbsent(writer, _ -> new ArrayList<>());
        long end = operation.endNanos() - faultNanos;
        if (operation.isAcknowledged() && end > 0 && end < WINDOW_NANOS) {
          ends.add(end);
        }
      }
    }
    for (List<Long> ends : answers.values()) {
      Collections.sort(ends);
      long last = 0;
      long longest = ends.isEmpty() ? WINDOW_NANOS : 0;
      for (long end : ends) {
        longest = Math.max(longest, end - last);
        last = end;
      }
      millis.add(TimeUnit.NANOSECONDS.toMillis(longest));
    }
  }

  /// The 50th and 95th percentile and the longest, in milliseconds.
  @Override
  public String toString() {
    List<Long> sorted = millis.stream().sorted().toList();
    return sorted.isEmpty()
        ? "none"
        : "p50=%d ms, p95=%d ms, longest=%d ms"
            .formatted(
                sorted.get(sorted.size() / 2),
                sorted.get(sorted.size() * 95 / 100),
                sorted.getLast());
  }
}
