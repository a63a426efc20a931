package io.varve.internal.disk;

import java.util.concurrent.atomic.AtomicBoolean;

/// Waiting for what another thread does in a few instructions, unless the system took its core
/// away: first spin, then let others run, then sleep.
///
/// To yield for ever is not enough: a scheduler of virtual threads may run one that yields again
/// and again and never come to another that was woken from outside, which may be the one waited
/// for.
public final class Backoff {
  private static final int SPINS = 100;
  private static final int YIELDS = 400;
  private static final long PAUSE_NANOS = 50_000;

  private Backoff() {}

  /// Waits a little.
  ///
  /// @param tries how often this was called before for the same wait
  @SuppressWarnings("ThreadPriorityCheck") // what is waited for needs the core that this gives up
  public static void pause(Clock clock, int tries) {
    if (tries < SPINS) {
      Thread.onSpinWait();
    } else if (tries < YIELDS) {
      Thread.yield();
    } else {
      sleep(clock);
    }
  }

  private static void sleep(Clock clock) {
    boolean interrupted = Thread.interrupted();
    clock.parkNanos(Backoff.class, PAUSE_NANOS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Takes a lock that is never held across a system call.
  public static void acquire(Clock clock, AtomicBoolean lock) {
    for (int tries = 0; !lock.compareAndSet(false, true); tries++) {
      pause(clock, tries);
    }
  }
}
