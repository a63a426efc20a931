package io.varve.cache.internal.container;

import java.util.concurrent.locks.ReentrantLock;

/// The lock of one key, held from when it is made until it is closed. A method that takes one as a
/// parameter need not check that the lock is held. For the thread that holds it.
///
/// @param <K> the keys
public final class KeyLock<K> implements AutoCloseable {
  private final LockTable<K> table;
  private final CacheKey<K> key;
  private final ReentrantLock lock;
  private final long clears;
  private boolean waitingLater;

  /// @param lock of the key, which this thread holds
  /// @param clears what [Gate#clears] returned since the lock is held
  KeyLock(LockTable<K> table, CacheKey<K> key, ReentrantLock lock, long clears) {
    this.table = table;
    this.key = key;
    this.lock = lock;
    this.clears = clears;
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
