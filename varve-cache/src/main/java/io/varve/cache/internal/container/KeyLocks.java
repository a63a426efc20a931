package io.varve.cache.internal.container;

import java.util.concurrent.locks.ReentrantLock;

/// Locks that keys share by their hash: changes of one key happen one after the other.
///
/// Who needs several takes one at a time, or all in their order ([#lockAll]). A reader needs none.
public final class KeyLocks {
  private static final int COUNT = 1 << 10;

  private final ReentrantLock[] locks = new ReentrantLock[COUNT];

  /// Makes the locks of a cache.
  public KeyLocks() {
    for (int i = 0; i < COUNT; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  /// The lock of a key.
  public ReentrantLock of(Object key) {
    return locks[spread(key.hashCode()) & (COUNT - 1)];
  }

  /// Mixes a hash, so that its low bits depend on all.
  static int spread(int hash) {
    int mixed = hash * 0x9e3779b9;
    return mixed ^ (mixed >>> 16);
  }

  /// Takes all locks.
  public void lockAll() {
    for (ReentrantLock lock : locks) {
      lock.lock();
    }
  }

  /// Gives all locks back.
  public void unlockAll() {
    for (int i = COUNT; i-- > 0; ) {
      locks[i].unlock();
    }
  }
}
