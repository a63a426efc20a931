package io.varve.internal.lock;

import java.util.concurrent.locks.ReentrantLock;

/// A lock with its place in [LockOrder], which is checked where assertions are enabled.
public class OrderedLock extends ReentrantLock {
  private static final long serialVersionUID = 1L;

  private final LockOrder order;
  private final long rank;

  /// Makes a lock of a level that has one.
  public OrderedLock(LockOrder order) {
    this(order, 0);
  }

  /// Makes a lock of a level that has several.
  ///
  /// @param rank by which the locks of that level are taken in order
  public OrderedLock(LockOrder order, long rank) {
    this.order = order;
    this.rank = rank;
  }

  @Override
  @SuppressWarnings("LockNotBeforeTry") // the caller's duty
  public void lock() {
    assert order.enter(rank);
    super.lock();
  }

  @Override
  public boolean tryLock() {
    boolean taken = super.tryLock();
    assert !taken || order.entered(rank);
    return taken;
  }

  @Override
  public void unlock() {
    super.unlock();
    assert order.exit();
  }
}
