package io.varve.internal.disk;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// A clock that a test moves.
public final class ManualClock implements Clock {
  private final AtomicLong nanos = new AtomicLong();
  private final Set<Thread> sleepers = ConcurrentHashMap.newKeySet();

  public void advance(long byNanos) {
    nanos.addAndGet(byNanos);
    sleepers.forEach(LockSupport::unpark);
  }

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public long currentTimeMillis() {
    return nanos.get() / 1_000_000;
  }

  @Override
  public void parkNanos(Object blocker, long forNanos) {
    long wake = nanos.get() + forNanos;
    sleepers.add(Thread.currentThread());
    try {
      if (nanos.get() < wake) {
        LockSupport.park(blocker);
      }
    } finally {
      sleepers.remove(Thread.currentThread());
    }
  }
}
