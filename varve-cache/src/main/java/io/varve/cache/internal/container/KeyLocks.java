package io.varve.cache.internal.container;

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
  private final LockTable<K> locks = new LockTable<>();

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

  /// Waits for the key, which may be this thread's already.
  public Turn<K> take(CacheKey<K> key) {
    ReentrantLock lock = locks.join(key.key());
    lock.lock();
    return new Turn<>(locks, key, lock, gate.clears());
  }

  /// Takes the key if no other thread has it; null if one does.
  public @Nullable Turn<K> tryTake(CacheKey<K> key) {
    ReentrantLock lock = locks.join(key.key());
    if (!lock.tryLock()) {
      locks.leave(key.key());
      return null;
    }
    return new Turn<>(locks, key, lock, gate.clears());
  }

  /// Takes the key if nobody has it, this thread included; null if somebody does.
  @Nullable Turn<K> tryTakeFree(CacheKey<K> key) {
    Turn<K> turn = tryTake(key);
    if (turn != null && turn.lock().getHoldCount() > 1) {
      turn.close();
      return null;
    }
    return turn;
  }

  /// Takes several different keys, in an order that all threads keep.
  ///
  /// @param taker takes one: [#take], or what fails rather than wait
  /// @return their turns; all are to be closed
  public List<Turn<K>> takeAll(Collection<CacheKey<K>> keys, Function<CacheKey<K>, Turn<K>> taker) {
    List<CacheKey<K>> ordered = new ArrayList<>(keys);
    ordered.sort(BY_HASH);
    List<Turn<K>> turns = new ArrayList<>(ordered.size());
    boolean hasTies = hasTies(ordered);
    if (hasTies) {
      sameHash.lock();
    }
    try {
      ordered.forEach(key -> turns.add(taker.apply(key)));
      return turns;
    } catch (RuntimeException | Error e) {
      turns.forEach(Turn::close);
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
