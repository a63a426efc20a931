package io.varve.internal.wal.group;

import io.varve.Histogram;
import io.varve.internal.event.ForceEvent;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// How many forces there were, and how long they took.
final class ForceTimes {
  private final LongAdder count = new LongAdder();
  private final LongAdder totalNanos = new LongAdder();

  /// Forces by the power of two of their nanoseconds.
  private final AtomicLongArray counts = new AtomicLongArray(Long.SIZE);

  /// A mean of the last ones. No rule depends on it, so updates may be lost.
  private volatile long recentNanos = WaitStrategy.ADAPTIVE_FORCE_NANOS_MAX;

  /// Counts a force of `[startLsn, endLsn)`.
  ///
  /// @param event of a flight recording, or null if there is none
  /// @param commits that waited for it
  @SuppressWarnings("NonAtomicVolatileUpdate") // a lost update of a mean does no harm
  void add(long nanos, @Nullable ForceEvent event, long startLsn, long endLsn, int commits) {
    if (event != null) {
      event.forced(startLsn, endLsn, commits);
    }
    count.increment();
    totalNanos.add(nanos);
    recentNanos += (nanos - recentNanos) / 8;
    counts.incrementAndGet(63 - Long.numberOfLeadingZeros(Math.max(nanos, 1)));
  }

  /// About how long a force takes, so how long it is worth to wait without parking.
  long recentNanos() {
    return recentNanos;
  }

  long count() {
    return count.sum();
  }

  Histogram histogram() {
    long[] each = IntStream.range(0, counts.length()).mapToLong(counts::get).toArray();
    return Histogram.of(each, totalNanos.sum());
  }
}
