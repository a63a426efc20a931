package io.varve.internal.txn;

import io.varve.StoreBusyException;
import io.varve.internal.disk.Clock;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// The transactions of a store that run alone, and the threads that wait for one to end.
///
/// (ALONE-3) Each such wait ends: with the transaction, with the store, or after [#WAIT_NANOS_MAX]
/// by an exception. What a body waits for may be held by a thread that waits here.
public final class AloneRuns {
  /// Longer than nearly all bodies run, and short enough for a store that is thought to hang.
  static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

  private final Clock clock;
  private final Lifecycle lifecycle;
  private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

  AloneRuns(Clock clock, Lifecycle lifecycle) {
    this.clock = clock;
    this.lifecycle = lifecycle;
  }

  /// Reserves spaces for a transaction of the calling thread, once nobody else has them reserved.
  ///
  /// @param body what the transaction runs, for messages
  /// @throws StoreBusyException if that takes too long
  AloneRun begin(String body, Collection<LiveSpace> spaces) {
    List<LiveSpace> inOrder =
        spaces.stream().sorted(Comparator.comparingInt(LiveSpace::id)).toList();
    AloneRun run = new AloneRun(this, body, clock.nanoTime());
    boolean begun = false;
    try {
      inOrder.forEach(run::await);
      begun = true;
      return run;
    } finally {
      if (!begun) {
        run.close();
      }
    }
  }

  /// Waits until no other thread has reserved the space of `lock`. Interrupts stay set.
  void awaitFree(WriteLock lock) {
    long since = clock.nanoTime();
    boolean interrupted = false;
    Thread self = Thread.currentThread();
    waiting.add(self); // before the look at the reservation, so that no wake-up is lost
    try {
      AloneRun run = lock.reservedByAnother();
      while (run != null) {
        lifecycle.requireOpen();
        long now = clock.nanoTime();
        if (now - since >= WAIT_NANOS_MAX) {
          throw tooLong(lock, run, now - since, now);
        }
        clock.parkNanos(lock, WAIT_NANOS_MAX - (now - since));
        interrupted |= Thread.interrupted();
        run = lock.reservedByAnother();
      }
    } finally {
      waiting.remove(self);
      if (interrupted) {
        self.interrupt();
      }
    }
  }

  private static StoreBusyException tooLong(
      WriteLock lock, AloneRun run, long waitedNanos, long now) {
    return new StoreBusyException(
        "another transaction runs alone, and the wait for it was broken off: space="
            + lock.space()
            + ", "
            + run.describe(now)
            + ", waitedMillis="
            + TimeUnit.NANOSECONDS.toMillis(waitedNanos)
            + "; nothing was written; release what its body may wait for, and try again");
  }

  /// Lets all who wait look again: a transaction has ended, or the store was closed.
  public void wakeAll() {
    waiting.forEach(LockSupport::unpark);
  }
}
