package io.varve.internal.wal.group;

import io.varve.CommitWait;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// What a thread does before it parks on its waiter.
///
/// While other commits have work, a yield costs one switch of threads. To park and be woken costs
/// two, and costs the waker a system call. So yields that let others run are not counted against
/// the time that a thread may be busy with waiting, up to a bound.
final class WaitStrategy {
  /// Where forces take longer than this, threads that adapt park immediately.
  static final long ADAPTIVE_FORCE_NANOS_MAX = 500_000;

  /// The longest that a thread is busy with waiting: some forces of a disk.
  private static final long BUSY_NANOS_MAX = 2_000_000;

  /// Bounds the yields where a clock does not advance.
  private static final int YIELDS_MAX = 2000;

  /// A yield that takes no longer found nobody else to run.
  private static final long IDLE_NANOS_MAX = 4_000;

  /// A thread that spins lets others run once in so many rounds: what it waits for may need the
  /// core, or the carrier, that it is on.
  private static final int SPINS = 1000;

  private final CommitWait wait;
  private final Clock clock;
  private final StoreThreads threads;

  WaitStrategy(CommitWait wait, Clock clock, StoreThreads threads) {
    this.wait = wait;
    this.clock = clock;
    this.threads = threads;
  }

  /// Lets the calling thread wait for its waiter to be woken, for a bounded time.
  ///
  /// @param forceNanos about how long a force takes
  /// @param attend asked before each yield; true ends it
  void before(Waiter waiter, long forceNanos, BooleanSupplier attend) {
    switch (wait) {
      case PARK -> {}
      case YIELD -> letOthersRun(waiter, BUSY_NANOS_MAX, 0, attend);
      case SPIN -> letOthersRun(waiter, BUSY_NANOS_MAX, SPINS, attend);
      case ADAPTIVE -> {
        if (forceNanos < ADAPTIVE_FORCE_NANOS_MAX && threads.callerMayServe()) {
          letOthersRun(waiter, 2 * forceNanos, 0, attend);
        }
      }
    }
  }

  /// Lets a flusher wait, for a bounded time; not at all where it would have to park, since those
  /// that it waits for do not wake it.
  ///
  /// @param forceNanos about how long a force takes
  /// @param leftNanos how long it still is to wait; asked before each yield
  void hold(long forceNanos, LongSupplier leftNanos) {
    if (wait == CommitWait.PARK
        || (wait == CommitWait.ADAPTIVE && forceNanos >= ADAPTIVE_FORCE_NANOS_MAX)) {
      return;
    }
    yieldWhile(() -> leftNanos.getAsLong() > 0, BUSY_NANOS_MAX);
  }

  /// Lets a flusher rest that will soon be wanted again, for a bounded time. To wake a parked
  /// thread takes a system call, and the thread runs tens of microseconds later.
  ///
  /// @param forceNanos about how long a force takes
  /// @param restNanos about how long it takes until it is wanted
  /// @param rests asked before each yield; false ends it
  void rest(long forceNanos, long restNanos, BooleanSupplier rests) {
    long nanos = 2 * forceNanos;
    if (wait == CommitWait.PARK
        || forceNanos >= ADAPTIVE_FORCE_NANOS_MAX
        || restNanos >= nanos
        || !threads.callerMayServe()) {
      return;
    }
    yieldWhile(rests, nanos);
  }

  @SuppressWarnings("ThreadPriorityCheck") // no rule of order depends on it
  private void yieldWhile(BooleanSupplier waits, long nanosMax) {
    long start = clock.nanoTime();
    for (int i = 0; i < YIELDS_MAX && waits.getAsBoolean(); i++) {
      if (clock.nanoTime() - start >= nanosMax) {
        return;
      }
      Thread.yield();
    }
  }

  /// Lets other threads run until the waiter is woken.
  ///
  /// @param idleNanos for how long at most while nobody else has work
  /// @param spins rounds that it spins before each yield
  @SuppressWarnings("ThreadPriorityCheck") // no rule of order depends on it
  private void letOthersRun(Waiter waiter, long idleNanos, int spins, BooleanSupplier attend) {
    long start = clock.nanoTime();
    long before = start;
    long idle = 0;
    for (int i = 0; i < YIELDS_MAX && waiter.isYielding(); i++) {
      if (attend.getAsBoolean()) {
        return;
      }
      for (int spin = 0; spin < spins && waiter.isYielding(); spin++) {
        Thread.onSpinWait();
      }
      Thread.yield();
      long now = clock.nanoTime();
      idle += Math.min(now - before, IDLE_NANOS_MAX);
      if (idle >= idleNanos || now - start >= BUSY_NANOS_MAX) {
        return;
      }
      before = now;
    }
  }
}
