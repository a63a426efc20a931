package io.varve.cache.internal.container;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/// The number of entries of each segment and of all. Safe for threads; while an entry comes and
/// goes at the same time, its going may be counted first.
final class SegmentCounts {
  private final AtomicLongArray counts;
  private final LongAdder total = new LongAdder();

  SegmentCounts(int segments) {
    counts = new AtomicLongArray(segments);
  }

  int segments() {
    return counts.length();
  }

  void add(int segment, long count) {
    counts.addAndGet(segment, count);
    total.add(count);
  }

  long of(int segment) {
    return Math.max(0, counts.get(segment));
  }

  long total() {
    return Math.max(0, total.sum());
  }

  /// Sets all to none. No thread changes them concurrently.
  void clear() {
    for (int i = 0; i < counts.length(); i++) {
      counts.set(i, 0);
    }
    total.reset();
  }
}
