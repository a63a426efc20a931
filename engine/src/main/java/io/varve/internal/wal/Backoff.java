package io.varve.internal.wal;

import io.varve.internal.disk.Clock;
import java.util.concurrent.atomic.AtomicBoolean;

/// Waiting for what another thread does in a few instructions, unless the system took its core
/// away: first spin, then let others run, then sleep.
final class Backoff {
  private static final int SPINS = 100;
  private static final int YIELDS = 400;
  private static final long PAUSE_NANOS = 50_000;

  private Backoff() {}

  /// Waits a little.
  ///
  /// @param tries how often this was called before for the same wait
  @SuppressWarnings("ThreadPriorityCheck") // what is waited for needs the core that this gives up
  static void pause(Clock clock, int tries) {
    if (tries < SPINS) {
      Thread.onSpinWait();
    } else if (tries < YIELDS || Thread.currentThread().isInterrupted()) {
      Thread.yield();
    } else {
      clock.parkNanos(Backoff.class, PAUSE_NANOS);
    }
  }

  /// Takes a lock that is never held across a system call.
  static void acquire(Clock clock, AtomicBoolean lock) {
    for (int tries = 0; !lock.compareAndSet(false, true); tries++) {
      pause(clock, tries);
    }
  }
}
