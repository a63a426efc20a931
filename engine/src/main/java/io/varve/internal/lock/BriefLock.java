package io.varve.internal.lock;

/// A lock that is held for a few instructions at a time: a thread that finds it taken tries again
/// for some microseconds before it parks, since to park and be woken takes longer than most waits.
public final class BriefLock extends OrderedLock {
  private static final long serialVersionUID = 1L;

  /// Some microseconds, unless the system took the core from the holder.
  private static final int TRIES = 300;

  private final StoreLocks store;
  private final LockOrder order;
  private final long rank;

  /// Makes a lock of a level that has one.
  public BriefLock(StoreLocks store, LockOrder order) {
    this(store, order, 0);
  }

  /// Makes a lock of a level that has several.
  ///
  /// @param rank by which the locks of that level are taken in order
  public BriefLock(StoreLocks store, LockOrder order, long rank) {
    super(store, order, rank);
    this.store = store;
    this.order = order;
    this.rank = rank;
  }

  @Override
  @SuppressWarnings("LockNotBeforeTry") // the caller's duty
  public void lock() {
    assert store.mayWait(order, rank);
    if (tryLock()) {
      return;
    }
    for (int i = 0; i < TRIES; i++) {
      Thread.onSpinWait();
      // Each attempt takes the cache line from the holder, and each look leaves it there.
      if (!isLocked() && tryLock()) {
        return;
      }
    }
    super.lock();
  }
}
