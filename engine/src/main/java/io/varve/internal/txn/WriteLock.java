package io.varve.internal.txn;

import io.varve.internal.lock.BriefLock;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.StoreLocks;
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
  private final BriefLock lock;

  /// The transaction that runs alone over the space. Set under the lock, cleared by its thread.
  private volatile @Nullable AloneOwner reservedBy;

  /// Makes the lock of a space.
  ///
  /// @param id of the space, by which several of these are taken in order
  /// @param space its name, for messages
  WriteLock(StoreLocks locks, int id, String space) {
    this.lock = new BriefLock(locks, LockOrder.WRITE, id);
    this.space = space;
  }

  String space() {
    return space;
  }

  /// Takes the lock, unless another thread has reserved the space.
  ///
  /// @return false if one has: call [AloneRuns#awaitFree] without locks, and try again
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

  /// Whether a transaction of the calling thread that runs alone has reserved the space.
  boolean isReservedHere() {
    AloneOwner owner = reservedBy;
    return owner != null && owner.isCaller();
  }

  /// The transaction of another thread that runs alone over the space, or null.
  @Nullable AloneOwner reservedByAnother() {
    AloneOwner owner = reservedBy;
    return owner == null || owner.isCaller() ? null : owner;
  }

  /// Reserves the space for a transaction of the calling thread. Does not wait for reservations.
  ///
  /// @return the transaction that has reserved it now: `owner`, or one around it, or another
  ///   thread's
  AloneOwner reserve(AloneOwner owner) {
    lock.lock();
    try {
      AloneOwner present = reservedBy;
      if (present == null) {
        reservedBy = owner;
        return owner;
      }
      return present;
    } finally {
      lock.unlock();
    }
  }

  /// Ends the reservation of `owner`, if it has one. For the thread that made it.
  @SuppressWarnings("ReferenceEquality") // owners
  void release(AloneOwner owner) {
    if (reservedBy == owner) {
      reservedBy = null;
    }
  }
}
