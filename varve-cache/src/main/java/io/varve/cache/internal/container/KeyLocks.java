package io.varve.cache.internal.container;

import io.varve.spi.StackReserve;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A lock for each key that is being changed, made and dropped as needed: changes of one key happen
/// one after the other, and those of different keys never wait for each other.
///
/// @param <K> the keys
public final class KeyLocks<K> {
  /// Orders keys that several threads may want concurrently. Keys of one hash have no order.
  private static final Comparator<CacheKey<?>> BY_HASH =
      Comparator.comparingInt(key -> key.key().hashCode());

  private final Gate gate;
  private final LockTable<K> table = new LockTable<>();

  /// Held by the thread that is taking several keys that have one hash, and so no order.
  private final ReentrantLock sameHash = new ReentrantLock();

  /// Makes the locks of the cache, whose calls pass a gate.
  public KeyLocks(Gate gate) {
    this.gate = gate;
  }

  /// What the calls of the cache pass.
  Gate gate() {
    return gate;
  }

  /// Locks the key; this thread may hold the lock already.
  public KeyLock<K> lock(CacheKey<K> key) {
    KeyLock<K> keyLock = new KeyLock<>(table, key);
    keyLock.lock(gate);
    return keyLock;
  }

  /// Locks the key if no other thread holds the lock; returns null if one does.
  public @Nullable KeyLock<K> tryLock(CacheKey<K> key) {
    StackReserve.require(); // reads come here, too, outside of any change
    KeyLock<K> keyLock = new KeyLock<>(table, key);
    return keyLock.tryLock(gate) ? keyLock : null;
  }

  /// Locks the key if no thread holds the lock, not even this one; returns null if one does.
  @Nullable KeyLock<K> tryLockUnheld(CacheKey<K> key) {
    KeyLock<K> keyLock = tryLock(key);
    if (keyLock != null && keyLock.holdCount() > 1) {
      keyLock.close();
      return null;
    }
    return keyLock;
  }

  /// Whether a thread waits for a key that this thread holds. Such a thread must not be waited for.
  public boolean isAwaitedBy(Thread other) {
    return table.isAwaitedBy(other);
  }

  /// Locks several different keys, in an order that all threads keep.
  ///
  /// @param locker locks one: [#lock], or what fails rather than wait
  /// @param waits whether it waits. If not, no order is needed, and this waits for nobody either
  /// @return their locks; all are to be closed
  public List<KeyLock<K>> lockAll(
      Collection<CacheKey<K>> keys, Function<CacheKey<K>, KeyLock<K>> locker, boolean waits) {
    List<CacheKey<K>> ordered = new ArrayList<>(keys);
    ordered.sort(BY_HASH);
    List<KeyLock<K>> locks = new ArrayList<>(ordered.size());
    boolean hasTies = waits && hasTies(ordered);
    if (hasTies) {
      sameHash.lock();
    }
    try {
      ordered.forEach(key -> locks.add(locker.apply(key)));
      return locks;
    } catch (RuntimeException | Error e) {
      locks.forEach(KeyLock::close);
      throw e;
    } finally {
      if (hasTies) {
        sameHash.unlock();
      }
    }
  }

  private boolean hasTies(List<CacheKey<K>> ordered) {
    for (int i = 1; i < ordered.size(); i++) {
      if (BY_HASH.compare(ordered.get(i - 1), ordered.get(i)) == 0) {
        return true;
      }
    }
    return false;
  }

  /// Mixes a hash, so that its low bits depend on all.
  static int spread(int hash) {
    int mixed = hash * 0x9e3779b9;
    return mixed ^ (mixed >>> 16);
  }
}
