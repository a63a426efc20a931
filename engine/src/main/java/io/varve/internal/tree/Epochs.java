package io.varve.internal.tree;

import io.varve.internal.file.LiveEpochs;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.OrderedLock;
import io.varve.internal.lock.StoreLocks;
import java.util.HashMap;
import java.util.Map;

/// The current epoch and the closed ones that snapshots and the running checkpoint still show.
///
/// The current epoch rises only while commits are shut out; so it is constant within a commit.
public final class Epochs {
  private final OrderedLock lock;

  /// How many hold each. Guarded by the lock.
  private final Map<Long, Integer> holders = new HashMap<>();

  private volatile long current;

  /// Written under the lock.
  private volatile LiveEpochs live = LiveEpochs.NONE;

  /// Starts at `first`, at least 1: epoch 0 is that of pages read from disk.
  public Epochs(StoreLocks locks, long first) {
    this.lock = new OrderedLock(locks, LockOrder.EPOCHS);
    this.current = first;
  }

  public long current() {
    return current;
  }

  /// Closes the current epoch. Commits are shut out; one thread at a time.
  ///
  /// @return the epoch closed
  @SuppressWarnings("NonAtomicVolatileUpdate") // commits and other callers are shut out
  public long close() {
    return current++;
  }

  /// Keeps the roots of a closed epoch.
  public void hold(long epoch) {
    lock.lock();
    try {
      if (holders.merge(epoch, 1, Integer::sum) == 1) {
        live = live.plus(epoch);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Releases a closed epoch that was held.
  public void release(long epoch) {
    lock.lock();
    try {
      if (holders.containsKey(epoch)
          && holders.computeIfPresent(epoch, (_, count) -> count == 1 ? null : count - 1) == null) {
        live = live.minus(epoch);
      }
    } finally {
      lock.unlock();
    }
  }

  /// The epochs held now.
  public LiveEpochs live() {
    return live;
  }
}
