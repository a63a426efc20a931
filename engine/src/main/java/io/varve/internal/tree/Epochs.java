package io.varve.internal.tree;

import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/// The current epoch and the closed ones that snapshots and the running checkpoint still show.
///
/// The current epoch rises only while commits are shut out; so it is constant within a commit.
public final class Epochs {
  /// What [#oldestLive()] gives when no closed epoch is live.
  public static final long NONE = Long.MAX_VALUE;

  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<Long, Integer> live = new TreeMap<>();
  private volatile long current;
  private volatile long oldestLive = NONE;
  private volatile long newestLive = -1;

  /// Starts at `first`, at least 1: epoch 0 is that of pages read from disk.
  public Epochs(long first) {
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
      live.merge(epoch, 1, Integer::sum);
      publishBounds();
    } finally {
      lock.unlock();
    }
  }

  /// Lets go of a closed epoch that was held.
  public void letGo(long epoch) {
    lock.lock();
    try {
      live.computeIfPresent(epoch, (_, holders) -> holders == 1 ? null : holders - 1);
      publishBounds();
    } finally {
      lock.unlock();
    }
  }

  private void publishBounds() {
    oldestLive = live.isEmpty() ? NONE : live.firstKey();
    newestLive = live.isEmpty() ? -1 : live.lastKey();
  }

  /// The oldest epoch held, or [#NONE].
  public long oldestLive() {
    return oldestLive;
  }

  /// The newest epoch held, or -1.
  public long newestLive() {
    return newestLive;
  }
}
