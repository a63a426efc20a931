package io.varve.internal.disk;

import java.util.concurrent.locks.LockSupport;

/// Time, and waiting for it, so that a test can drive both.
public interface Clock {

  /// The system's clock.
  Clock SYSTEM =
      new Clock() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public long currentTimeMillis() {
          return System.currentTimeMillis();
        }

        @Override
        public void parkNanos(Object blocker, long nanos) {
          LockSupport.parkNanos(blocker, nanos);
        }
      };

  /// Nanoseconds from an arbitrary origin; only differences mean anything.
  long nanoTime();

  /// Wall-clock milliseconds since 1970, which may jump.
  long currentTimeMillis();

  /// Parks the calling thread until this clock has moved on by `nanos`, the thread is unparked by
  /// [LockSupport#unpark] or interrupted, or for no reason. A simulated clock unparks its sleepers
  /// as it moves.
  void parkNanos(Object blocker, long nanos);

  /// Keeps the calling thread from its work for a time, whatever wakes it. An interrupt is kept
  /// aside, and set again after it.
  ///
  /// A simulated clock delays by the system's clock instead: the thread may be the one that is to
  /// move it, and would wait for itself.
  default void delay(Object blocker, long nanos) {
    boolean interrupted = false;
    long deadline = nanoTime() + nanos;
    try {
      for (long left = nanos; left > 0; left = deadline - nanoTime()) {
        interrupted |= Thread.interrupted();
        parkNanos(blocker, left);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt(); // (BACKOFF-1)
      }
    }
  }

  /// The clock of waits that hold a caller of the store for a short time, for others to join it or
  /// for a retry.
  ///
  /// A simulated clock returns the system's, for the reason that [#delay] has.
  default Clock ofCallers() {
    return this;
  }
}
