package io.varve.internal.txn;

import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.OrderedLock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps the writers of one space apart: a lock for the short time of a commit, and a reservation
/// for the time of a transaction that runs alone.
///
/// - (ALONE-1) While a transaction has reserved the space, no other thread commits to it: the
///   reservation is made under the lock, and a writer that finds one releases the lock again.
/// - (ALONE-2) A thread that waits for the end of a reservation holds no write lock.
///
/// No code of users runs under the lock.
final class WriteLock {
  private final String space;
  private final AloneRuns aloneRuns;
  private final OrderedLock lock;

  /// The transaction that runs alone over the space. Set under the lock, cleared by its thread.
  private volatile @Nullable AloneRun reservedBy;

  /// Makes the lock of a space.
  ///
  /// @param id of the space, by which several of these are taken in order
  /// @param space its name, for messages
  WriteLock(int id, String space, AloneRuns aloneRuns) {
    this.lock = new OrderedLock(LockOrder.WRITE, id);
    this.space = space;
    this.aloneRuns = aloneRuns;
  }

  String space() {
    return space;
  }

  /// Takes the lock, unless another thread has reserved the space.
  ///
  /// @return false if one has: call [#awaitFree] without locks, and try again
  boolean lock() {
    lock.lock();
    return keepUnlessReserved();
  }

  /// Takes the lock if that needs no wait.
  boolean tryLock() {
    return lock.tryLock() && keepUnlessReserved();
  }

  private boolean keepUnlessReserved() {
    if (reservedByAnother() == null) {
      return true;
    }
    lock.unlock();
    return false;
  }

  void unlock() {
    lock.unlock();
  }

  /// Takes the locks of several spaces, which are in the order of their ids.
  ///
  /// @return false if another thread has reserved one of the spaces: then none is locked (ALONE-2)
  static boolean lockAll(List<LiveSpace> lockOrder) {
    for (int i = 0; i < lockOrder.size(); i++) {
      if (!lockOrder.get(i).writeLock().lock()) {
        unlock(lockOrder, i);
        return false;
      }
    }
    return true;
  }

  static void unlockAll(List<LiveSpace> lockOrder) {
    unlock(lockOrder, lockOrder.size());
  }

  /// Makes no object: it must work where a lack of memory ended the commit.
  private static void unlock(List<LiveSpace> lockOrder, int count) {
    for (int i = count - 1; i >= 0; i--) {
      lockOrder.get(i).writeLock().unlock();
    }
  }

  /// Waits until no other thread has reserved the space. The caller holds no write lock (ALONE-2).
  ///
  /// @throws io.varve.StoreBusyException if that takes too long
  /// @throws io.varve.StoreClosedException if the store was closed
  void awaitFree() {
    if (reservedByAnother() != null) {
      aloneRuns.awaitFree(this);
    }
  }

  /// Whether a transaction of the calling thread that runs alone has reserved the space.
  boolean isReservedHere() {
    AloneRun run = reservedBy;
    return run != null && run.isOwn();
  }

  /// The transaction of another thread that runs alone over the space, or null.
  @Nullable AloneRun reservedByAnother() {
    AloneRun run = reservedBy;
    return run == null || run.isOwn() ? null : run;
  }

  /// Reserves the space for a transaction of the calling thread. Does not wait for reservations.
  ///
  /// @return the transaction that has reserved it now: `run`, or one around it, or another thread's
  AloneRun reserve(AloneRun run) {
    lock.lock();
    try {
      AloneRun present = reservedBy;
      if (present == null) {
        reservedBy = run;
        return run;
      }
      return present;
    } finally {
      lock.unlock();
    }
  }

  /// Ends the reservation of `run`, if it has one. For the thread that made it.
  @SuppressWarnings("ReferenceEquality") // runs
  void release(AloneRun run) {
    if (reservedBy == run) {
      reservedBy = null;
    }
  }
}
