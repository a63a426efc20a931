package io.varve.internal.disk;

import java.util.concurrent.locks.ReentrantLock;

/// A lock that is held for a few instructions at a time: a thread that finds it taken tries again
/// for some microseconds before it parks, since to park and be woken takes longer than most waits.
public final class BriefLock extends ReentrantLock {
  private static final long serialVersionUID = 1L;

  /// Some microseconds, unless the system took the core from the holder.
  private static final int TRIES = 300;

  @Override
  @SuppressWarnings("LockNotBeforeTry") // the caller's duty
  public void lock() {
    for (int i = 0; i < TRIES; i++) {
      if (tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    super.lock();
  }
}
