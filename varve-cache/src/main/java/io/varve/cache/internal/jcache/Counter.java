package io.varve.cache.internal.jcache;

import java.util.concurrent.atomic.LongAdder;

/// A count that only rises. The bean of JCache shows what of it came since it was cleared, and
/// while statistics were on. Safe for threads.
final class Counter {
  private final LongAdder total = new LongAdder();

  /// One reference, so that a reader sees what belongs together. Written under the lock of
  /// [Counters].
  private volatile Bean bean = new Bean(0, 0);

  /// What the bean makes of the total.
  ///
  /// @param hidden what it does not show
  /// @param pausedAt the total when statistics were turned off; negative while they are on
  private record Bean(long hidden, long pausedAt) {
    private static final long ON = -1;

    boolean isPaused() {
      return pausedAt >= 0;
    }
  }

  void increment() {
    total.increment();
  }

  void add(long count) {
    total.add(count);
  }

  /// What counts, for code that knows nothing of beans.
  LongAdder adder() {
    return total;
  }

  long total() {
    return total.sum();
  }

  /// What the bean shows.
  long shown() {
    Bean now = bean;
    return (now.isPaused() ? now.pausedAt : total.sum()) - now.hidden;
  }

  /// Shows 0.
  void clear() {
    Bean now = bean;
    bean = new Bean(now.isPaused() ? now.pausedAt : total.sum(), now.pausedAt);
  }

  /// Shows nothing of what comes from now on.
  void pause() {
    if (!bean.isPaused()) {
      bean = new Bean(bean.hidden, total.sum());
    }
  }

  /// Shows what comes from now on.
  void resume() {
    Bean now = bean;
    if (now.isPaused()) {
      bean = new Bean(now.hidden + total.sum() - now.pausedAt, Bean.ON);
    }
  }
}
