package io.varve.cache.internal.container;

/// The right to change one key, from when its lock is taken until the turn is closed. Who asks for
/// a turn need not ask whether the lock is held. For the thread that took it.
///
/// @param <K> the keys
public final class Turn<K> implements AutoCloseable {
  private final KeyLocks<K> locks;
  private final CacheKey<K> key;
  private final long clears;

  /// @param clears what [Gate#clears] gave since the lock was taken
  Turn(KeyLocks<K> locks, CacheKey<K> key, long clears) {
    this.locks = locks;
    this.key = key;
    this.clears = clears;
  }

  /// The key.
  public CacheKey<K> key() {
    return key;
  }

  /// Runs a step of this change: see [Gate].
  void pass(Gate gate, Runnable step) {
    gate.pass(clears, step);
  }

  /// Gives the key back. Once.
  @Override
  public void close() {
    locks.release(key.key());
  }
}
