package io.varve.test;

import io.varve.internal.disk.Clock;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// A clock that stops until it is moved. A thread that sleeps on it wakes when it has moved far
/// enough. So what a store does by time is done when the test asks for it. What holds a caller of
/// the store is no such sleep, and takes real time. A writer that is faster than pages are written
/// is held so, and a commit that waits for others to share its force. So is one that waits for the
/// retry of a checkpoint.
///
/// Safe for any number of threads.
public final class SimulatedClock {
  private static final long EPOCH_MILLIS = 1_767_225_600_000L; // 1 January 2026, 00:00 UTC

  /// A shorter sleep is one of many in a wait for another thread, which continues with its work
  /// though this clock does not move.
  private static final long WAIT_NANOS_MAX = 100_000;

  private final Clock clock = new Face();
  private final AtomicLong nanos = new AtomicLong();
  private final ConcurrentMap<Thread, Long> sleepers = new ConcurrentHashMap<>();

  /// Makes a clock that shows 1 January 2026, 00:00 UTC.
  public SimulatedClock() {}

  /// Moves the clock, and wakes all whose time has come.
  public void advance(Duration duration) {
    long now = nanos.addAndGet(duration.toNanos());
    sleepers.forEach((thread, deadline) -> {
      if (deadline - now <= 0) {
        LockSupport.unpark(thread);
      }
    });
  }

  /// How many threads sleep on this clock.
  public int sleeperCount() {
    return sleepers.size();
  }

  /// What a store uses.
  Clock asClock() {
    return clock;
  }

  private void park(Object blocker, long duration) {
    if (duration <= 0) {
      return;
    }
    if (duration < WAIT_NANOS_MAX) {
      LockSupport.parkNanos(blocker, duration);
      return;
    }
    Thread self = Thread.currentThread();
    long deadline = nanos.get() + duration;
    sleepers.put(self, deadline);
    try {
      // A move between the two lines has seen the entry and left a permit, so the park returns.
      if (deadline - nanos.get() > 0) {
        LockSupport.park(blocker);
      }
    } finally {
      sleepers.remove(self);
    }
  }

  private final class Face implements Clock {
    @Override
    public long nanoTime() {
      return nanos.get();
    }

    @Override
    public long currentTimeMillis() {
      return EPOCH_MILLIS + nanos.get() / 1_000_000;
    }

    @Override
    public void parkNanos(Object blocker, long duration) {
      park(blocker, duration);
    }

    @Override
    public void delay(Object blocker, long duration) {
      Clock.SYSTEM.delay(blocker, duration);
    }

    @Override
    public Clock ofCallers() {
      return Clock.SYSTEM;
    }
  }
}
