package io.varve.internal.lock;

import java.util.concurrent.locks.ReentrantLock;

/// A lock with its level in [LockOrder], which is checked where assertions are enabled.
public class OrderedLock extends ReentrantLock {
  private static final long serialVersionUID = 1L;

  private final StoreLocks store;
  private final LockOrder order;
  private final long rank;

  /// Makes a lock of a level that has one.
  public OrderedLock(StoreLocks store, LockOrder order) {
    this(store, order, 0);
  }

  /// Makes a lock of a level that has several.
  ///
  /// @param rank by which the locks of that level are taken in order
  public OrderedLock(StoreLocks store, LockOrder order, long rank) {
    this(store, order, rank, /* fair= */ false);
  }

  private OrderedLock(StoreLocks store, LockOrder order, long rank, boolean fair) {
    super(fair);
    this.store = store;
    this.order = order;
    this.rank = rank;
  }

  /// Makes a lock of a level that has one, which threads get in the order in which they asked: a
  /// holder that releases it and asks again passes none that waits.
  public static OrderedLock fair(StoreLocks store, LockOrder order) {
    return new OrderedLock(store, order, 0, /* fair= */ true);
  }

  @Override
  @SuppressWarnings("LockNotBeforeTry") // the caller's duty
  public void lock() {
    assert store.enter(order, rank);
    try {
      super.lock();
    } catch (RuntimeException | Error e) { // for example where the stack ends
      assert store.exit(order);
      throw e;
    }
  }

  @Override
  public boolean tryLock() {
    boolean taken = super.tryLock();
    assert !taken || store.entered(order, rank);
    return taken;
  }

  @Override
  public void unlock() {
    super.unlock();
    assert store.exit(order);
  }
}
