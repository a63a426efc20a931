package io.varve.cache.internal.container;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/// The locks of the keys that are being changed, made and dropped as needed.
///
/// (L1) A lock is in the map while any thread holds it or waits for it. So all threads that want a
/// key meet at one lock.
///
/// @param <K> the keys
final class LockTable<K> {
  private final ConcurrentHashMap<K, CountedLock> locks = new ConcurrentHashMap<>();

  private static final class CountedLock extends ReentrantLock {
    private static final long serialVersionUID = 1;

    /// The threads that hold it or wait. Changed inside the map's atomic step for the key alone.
    private int users;
  }

  /// The lock of a key, counted as one that this thread holds or waits for.
  ReentrantLock join(K key) {
    return locks.compute(
        key,
        (_, present) -> {
          CountedLock lock = present == null ? new CountedLock() : present;
          lock.users++;
          return lock;
        });
  }

  /// Counts a thread less that holds or waits for the lock of a key.
  void leave(K key) {
    locks.computeIfPresent(key, (_, lock) -> --lock.users == 0 ? null : lock);
  }

  /// Whether a thread waits for a key that this thread holds.
  boolean isAwaitedBy(Thread other) {
    return locks.values().stream()
        .anyMatch(lock -> lock.isHeldByCurrentThread() && lock.hasQueuedThread(other));
  }

  /// Gives a key back that this thread holds by a lock.
  void release(K key, ReentrantLock held) {
    held.unlock();
    leave(key);
  }
}
