package io.varve.internal.wal;

import io.varve.CommitWait;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;

/// What a thread does before it parks on its waiter.
final class Linger {
  /// Where forces take longer than this, threads that adapt park at once.
  static final long ADAPTIVE_FORCE_NANOS_MAX = 500_000;

  /// The longest that a thread is busy with waiting: some forces of a disk.
  private static final long BUSY_NANOS_MAX = 2_000_000;

  /// A thread that spins lets others run once in so many rounds: what it waits for may need the
  /// core, or the carrier, that it is on.
  private static final int SPINS = 1000;

  private final CommitWait wait;
  private final Clock clock;
  private final StoreThreads threads;

  Linger(CommitWait wait, Clock clock, StoreThreads threads) {
    this.wait = wait;
    this.clock = clock;
    this.threads = threads;
  }

  /// Lets the calling thread wait for its waiter to be woken, for a bounded time.
  ///
  /// @param forceNanos about how long a force takes
  /// @param nanosMax no longer than this
  void before(Waiter waiter, long forceNanos, long nanosMax) {
    switch (wait) {
      case PARK -> {}
      case YIELD -> waiter.yieldUntilWoken(clock, Math.min(BUSY_NANOS_MAX, nanosMax), 0);
      case SPIN -> waiter.yieldUntilWoken(clock, Math.min(BUSY_NANOS_MAX, nanosMax), SPINS);
      case ADAPTIVE -> {
        if (forceNanos < ADAPTIVE_FORCE_NANOS_MAX && threads.callerMayServe()) {
          waiter.yieldUntilWoken(clock, Math.min(2 * forceNanos, nanosMax), 0);
        }
      }
    }
  }
}
