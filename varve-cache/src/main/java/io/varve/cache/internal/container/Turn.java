package io.varve.cache.internal.container;

import java.util.concurrent.locks.ReentrantLock;

/// The right to change one key, from when its lock is taken until the turn is closed. A method that
/// asks for a turn need not ask whether the lock is held. For the thread that took it.
///
/// @param <K> the keys
public final class Turn<K> implements AutoCloseable {
  private final LockTable<K> locks;
  private final CacheKey<K> key;
  private final ReentrantLock lock;
  private final long clears;

  /// @param lock of the key, which this thread holds
  /// @param clears what [Gate#clears] gave since the lock was taken
  Turn(LockTable<K> locks, CacheKey<K> key, ReentrantLock lock, long clears) {
    this.locks = locks;
    this.key = key;
    this.lock = lock;
    this.clears = clears;
  }

  /// The key.
  public CacheKey<K> key() {
    return key;
  }

  /// The lock of the key.
  ReentrantLock lock() {
    return lock;
  }

  /// Runs a step of this change: see [Gate].
  void pass(Gate gate, Runnable step) {
    gate.pass(clears, step);
  }

  /// Gives the key back. Once.
  @Override
  public void close() {
    locks.release(key.key(), lock);
  }
}
