package io.varve.internal.txn;

import io.varve.StoreBusyException;
import io.varve.internal.disk.Clock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// The transactions of a store that run alone, and the threads that wait for one to end.
///
/// (ALONE-4) A change of the indexes of a space reserves it: a transaction that runs alone over the
/// space meets none, except by its own thread. So each conflict of it is with itself.
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

  /// The calling thread as the owner of a transaction that begins to run alone.
  AloneOwner owner(String body) {
    return new AloneOwner(body, clock.nanoTime());
  }

  /// Waits until no other thread has reserved the space of `lock`. The caller holds no write lock
  /// (ALONE-2), and has no priority in the log (PRIORITY-2). Interrupts stay set.
  ///
  /// @throws StoreBusyException if that takes too long
  /// @throws io.varve.StoreClosedException if the store was closed
  void awaitFree(WriteLock lock) {
    if (lock.reservedByAnother() != null) {
      awaitEnd(lock);
    }
  }

  private void awaitEnd(WriteLock lock) {
    long since = clock.nanoTime();
    boolean interrupted = false;
    Thread self = Thread.currentThread();
    waiting.add(self); // before the look at the reservation, so that no wake-up is lost
    try {
      AloneOwner owner = lock.reservedByAnother();
      while (owner != null) {
        lifecycle.requireOpen();
        long now = clock.nanoTime();
        if (now - since >= WAIT_NANOS_MAX) {
          throw tooLong(lock, owner, now - since, now);
        }
        clock.parkNanos(lock, WAIT_NANOS_MAX - (now - since));
        interrupted |= Thread.interrupted();
        owner = lock.reservedByAnother();
      }
    } finally {
      waiting.remove(self);
      if (interrupted) {
        self.interrupt();
      }
    }
  }

  private static StoreBusyException tooLong(
      WriteLock lock, AloneOwner owner, long waitedNanos, long now) {
    return new StoreBusyException(
        "another transaction runs alone, and the wait for it was broken off: space="
            + lock.space()
            + ", "
            + owner.describe(now)
            + ", waitedMillis="
            + TimeUnit.NANOSECONDS.toMillis(waitedNanos)
            + "; nothing was written; release what its body may wait for, and try again");
  }

  /// Lets all waiting threads look again: a transaction has ended, or the store was closed.
  public void wakeAll() {
    waiting.forEach(LockSupport::unpark);
  }
}
