package io.varve.internal.lock;

/// A lock that is held for a few instructions at a time: a thread that finds it taken tries again
/// for some microseconds before it parks, since to park and be woken takes longer than most waits.
public final class BriefLock extends OrderedLock {
  private static final long serialVersionUID = 1L;

  /// Some microseconds, unless the system took the core from the holder.
  private static final int TRIES = 300;

  private final StoreLocks store;
  private final LockOrder order;

  /// Makes a lock of a level that has one.
  public BriefLock(StoreLocks store, LockOrder order) {
    super(store, order);
    this.store = store;
    this.order = order;
  }

  @Override
  @SuppressWarnings("LockNotBeforeTry") // the caller's duty
  public void lock() {
    assert store.mayWait(order, 0);
    for (int i = 0; i < TRIES; i++) {
      if (tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    super.lock();
  }
}
