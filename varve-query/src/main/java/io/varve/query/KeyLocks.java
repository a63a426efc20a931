package io.varve.query;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One lock for each of many groups of keys, so that changes of one key come one after the other.
///
/// Lock order: a thread holds one of these, or takes all of them from the first to the last.
final class KeyLocks {
  /// Many times as many as threads change keys together; all are taken by [#whileNoneChanges].
  private static final int COUNT = 64;

  private final ReentrantLock[] locks = new ReentrantLock[COUNT];

  KeyLocks() {
    for (int index = 0; index < COUNT; index++) {
      locks[index] = new ReentrantLock();
    }
  }

  /// Runs a change of a key.
  <T extends @Nullable Object> T changing(Object key, Supplier<T> change) {
    int hash = key.hashCode();
    ReentrantLock lock = locks[(hash ^ (hash >>> 16) ^ (hash >>> 6)) & (COUNT - 1)];
    lock.lock();
    try {
      return change.get();
    } finally {
      lock.unlock();
    }
  }

  /// Runs something while no key is changed.
  void whileNoneChanges(Runnable change) {
    int taken = 0;
    try {
      while (taken < COUNT) {
        locks[taken].lock();
        taken++;
      }
      change.run();
    } finally {
      while (taken > 0) {
        locks[--taken].unlock();
      }
    }
  }
}
