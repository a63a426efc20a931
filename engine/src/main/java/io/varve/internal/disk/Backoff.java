package io.varve.internal.disk;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/// Waiting for what another thread does in a few instructions, unless the system took its core
/// away: first spin, then let others run, then sleep.
///
/// - (BACKOFF-1) An interrupt ends no wait. It is kept aside until the whole wait is over, and set
///   again then. A thread whose flag is set again between two sleeps cannot sleep: it would keep
///   its core, or its carrier, from the thread that it waits for.
/// - (BACKOFF-2) A wait ends in sleeps. A scheduler of virtual threads may run one that only yields
///   again and again, and never come to another that was woken from outside.
public final class Backoff {
  private static final int SPINS = 100;
  private static final int YIELDS = 400;
  private static final long PAUSE_NANOS = 50_000;

  /// How long a wait lasts before somebody looks why, and between such looks.
  static final long LOOK_NANOS = 1_000_000_000;

  private Backoff() {}

  /// Waits until a condition is true.
  ///
  /// @param isOver asked again and again; what it throws ends the wait
  @SuppressWarnings("ThreadPriorityCheck") // what is waited for needs the core that this yields
  public static void until(Clock clock, BooleanSupplier isOver) {
    boolean interrupted = false;
    try {
      for (int tries = 0; !isOver.getAsBoolean(); tries++) {
        if (tries < SPINS) {
          Thread.onSpinWait();
        } else if (tries < YIELDS) {
          Thread.yield();
        } else {
          interrupted |= Thread.interrupted();
          clock.parkNanos(Backoff.class, PAUSE_NANOS);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt(); // (BACKOFF-1)
      }
    }
  }

  /// Waits until a condition is true, and looks from time to time whether it can become so.
  ///
  /// @param isOver asked again and again; what it throws ends the wait
  /// @param look run after each second of the wait; what it throws ends the wait
  public static void until(Clock clock, BooleanSupplier isOver, Runnable look) {
    long[] nextLook = {clock.nanoTime() + LOOK_NANOS};
    until(
        clock,
        () -> {
          if (isOver.getAsBoolean()) {
            return true;
          }
          long now = clock.nanoTime();
          if (now - nextLook[0] >= 0) {
            nextLook[0] = now + LOOK_NANOS;
            look.run();
          }
          return false;
        });
  }

  /// Takes a lock that is never held across a system call.
  public static void acquire(Clock clock, AtomicBoolean lock) {
    if (!lock.compareAndSet(false, true)) {
      until(clock, () -> lock.compareAndSet(false, true));
    }
  }
}
