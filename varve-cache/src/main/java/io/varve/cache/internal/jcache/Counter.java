package io.varve.cache.internal.jcache;

import java.util.concurrent.atomic.LongAdder;

/// A count that only rises. The bean of JCache shows what of it came since it was cleared, and
/// while statistics were on. Safe for threads.
final class Counter {
  private final LongAdder total = new LongAdder();

  /// What the bean does not show of the total. Written under the lock of [Counters].
  private volatile long hidden;

  /// The total when statistics were turned off; negative while they are on. Written as `hidden` is.
  private volatile long pausedAt;

  void increment() {
    total.increment();
  }

  void add(long count) {
    total.add(count);
  }

  /// What counts, for who knows nothing of beans.
  LongAdder adder() {
    return total;
  }

  long total() {
    return total.sum();
  }

  /// What the bean shows.
  long shown() {
    long paused = pausedAt;
    return (paused >= 0 ? paused : total.sum()) - hidden;
  }

  /// Shows 0.
  void clear() {
    hidden = pausedAt >= 0 ? pausedAt : total.sum();
  }

  /// Shows nothing of what comes from now on.
  void pause() {
    if (pausedAt < 0) {
      pausedAt = total.sum();
    }
  }

  /// Shows what comes from now on.
  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock of Counters
  void resume() {
    if (pausedAt >= 0) {
      hidden += total.sum() - pausedAt;
      pausedAt = -1;
    }
  }
}
