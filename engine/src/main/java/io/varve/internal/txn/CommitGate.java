package io.varve.internal.txn;

import io.varve.internal.disk.Backoff;
import io.varve.internal.disk.Clock;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Lets commits through, and now and then shuts them out for a moment, so that a snapshot falls
/// between two of them.
///
/// - (G1) A commit is inside from before it reserves its place in the log until it is applied.
/// - (G2) While the gate is shut nobody is inside but the thread that shut it.
///
/// Entering and leaving is one atomic addition each, on a counter that few threads share.
public final class CommitGate {
  private static final int STRIPES = 16;

  /// Longs between two counters, so that they share no cache line (nor the pair that is
  /// prefetched).
  private static final int SPACING = 16;

  private static final int SPINS = 1000;

  private final Clock clock;
  private final AtomicLongArray inside = new AtomicLongArray((STRIPES + 1) * SPACING);
  private final ReentrantLock shutting = new ReentrantLock();
  private volatile @Nullable Thread shutBy;
  private long shutSince;
  private volatile long longestShutNanos;

  /// Makes a gate that is open.
  public CommitGate(Clock clock) {
    this.clock = clock;
  }

  private static int stripe() {
    return ((int) Thread.currentThread().threadId() & (STRIPES - 1)) * SPACING + SPACING;
  }

  /// Goes in; waits while another thread has the gate shut.
  void enter() {
    while (!tryEnter()) {
      awaitOpening();
    }
  }

  /// Goes in, unless another thread has the gate shut.
  @SuppressWarnings("ReferenceEquality") // threads
  boolean tryEnter() {
    int stripe = stripe();
    inside.getAndIncrement(stripe);
    Thread shutter = shutBy;
    if (shutter == null || shutter == Thread.currentThread()) {
      return true;
    }
    inside.getAndDecrement(stripe);
    return false;
  }

  @SuppressWarnings("LockNotBeforeTry") // held for no work: taking it is the wait
  private void awaitOpening() {
    for (int i = 0; i < SPINS; i++) {
      if (shutBy == null) {
        return;
      }
      Thread.onSpinWait();
    }
    shutting.lock();
    shutting.unlock();
  }

  /// Goes out.
  void exit() {
    inside.getAndDecrement(stripe());
  }

  /// Shuts the gate and waits until all are out. The caller is not inside. May be nested.
  public void shut() {
    shutting.lock();
    if (shutting.getHoldCount() > 1) {
      return;
    }
    shutSince = clock.nanoTime();
    shutBy = Thread.currentThread();
    for (int i = 1; i <= STRIPES; i++) {
      for (int tries = 0; inside.get(i * SPACING) != 0; tries++) {
        Backoff.pause(clock, tries);
      }
    }
  }

  /// Opens the gate again.
  public void open() {
    if (shutting.getHoldCount() == 1) {
      longestShutNanos = Math.max(longestShutNanos, clock.nanoTime() - shutSince);
      shutBy = null;
    }
    shutting.unlock();
  }

  /// The longest time that the gate was shut.
  public long longestShutNanos() {
    return longestShutNanos;
  }
}
