package io.varve.cache.internal.container;

import java.util.concurrent.locks.ReentrantLock;

/// The lock of one key, held from when [KeyLocks] hands it out until it is closed. A method that
/// takes one as a parameter need not check that the lock is held. For the thread that holds it.
///
/// (KEYLOCK-1) It is made before the lock is taken. What is allocated after that might fail, and
/// nobody would release the lock.
///
/// @param <K> the keys
public final class KeyLock<K> implements AutoCloseable {
  private final LockTable<K> table;
  private final CacheKey<K> key;
  private final ReentrantLock lock;

  /// What [Gate#clears] returned when the lock was taken.
  private long clears;

  private boolean waitingLater;

  /// Makes the lock of a key, which is to be taken next.
  KeyLock(LockTable<K> table, CacheKey<K> key) {
    this.table = table;
    this.key = key;
    this.lock = table.join(key.key());
  }

  /// Takes the lock; this thread may hold it already.
  void lock(Gate gate) {
    boolean locked = false;
    try {
      lock.lock();
      locked = true;
    } finally {
      if (!locked) {
        table.leave(key.key());
      }
    }
    clears = gate.clears();
  }

  /// Takes the lock if no other thread holds it. If one does, this is not to be used any more.
  boolean tryLock(Gate gate) {
    if (!lock.tryLock()) {
      table.leave(key.key());
      return false;
    }
    clears = gate.clears();
    return true;
  }

  /// The key.
  public CacheKey<K> key() {
    return key;
  }

  /// Has changes under this lock return before they survive loss of power. The thread that wants
  /// that calls [Container#awaitChanges] before it returns to its caller.
  public void waitLater() {
    waitingLater = true;
  }

  boolean isWaitingLater() {
    return waitingLater;
  }

  /// How often this thread holds the lock.
  int holdCount() {
    return lock.getHoldCount();
  }

  /// Runs a step of a change of the key: see [Gate].
  void runStep(Gate gate, Runnable step) {
    gate.pass(clears, step);
  }

  /// Unlocks the key. Call it once.
  @Override
  public void close() {
    table.release(key.key(), lock);
  }
}
