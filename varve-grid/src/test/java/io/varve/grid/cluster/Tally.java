package io.varve.grid.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Increments of one number by several clients, each of which was answered a number or failed.
///
/// 1. No two are answered the same number.
/// 2. One that begins when another has ended is answered a higher number.
/// 3. The number in the end counts each that was answered, and of those that failed some.
final class Tally {
  /// @param answer the number, or 0 if the call failed: it may count, and may not
  private record Increment(long startNanos, long endNanos, long answer) {}

  private final List<Increment> increments = new ArrayList<>();

  synchronized void add(long startNanos, long endNanos, long answer) {
    increments.add(new Increment(startNanos, endNanos, answer));
  }

  synchronized void addFailed(long startNanos, long endNanos) {
    add(startNanos, endNanos, 0);
  }

  synchronized long answeredCount() {
    return increments.stream().filter(increment -> increment.answer > 0).count();
  }

  /// What was answered wrong.
  ///
  /// @param last the number when all calls have ended
  synchronized List<String> faults(long last) {
    List<String> faults = new ArrayList<>();
    List<Increment> answered =
        increments.stream()
            .filter(increment -> increment.answer > 0)
            .sorted(Comparator.comparingLong(Increment::answer))
            .toList();
    long latestStart = Long.MIN_VALUE;
    for (int at = 0; at < answered.size(); at++) {
      Increment increment = answered.get(at);
      if (at > 0 && increment.answer == answered.get(at - 1).answer) {
        faults.add("answered twice: " + increment + ", " + answered.get(at - 1));
      }
      if (increment.endNanos < latestStart) {
        faults.add("less was answered to one that began later: " + increment);
      }
      latestStart = Math.max(latestStart, increment.startNanos);
    }
    if (last < answered.size() || last > increments.size()) {
      faults.add(
          "the number in the end is wrong: last="
              + last
              + ", answered="
              + answered.size()
              + ", failed="
              + (increments.size() - answered.size()));
    }
    return faults;
  }
}
