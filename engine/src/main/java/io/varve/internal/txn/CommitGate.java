package io.varve.internal.txn;

import io.varve.StoreFailedException;
import io.varve.internal.disk.Backoff;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Insiders;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.OrderedLock;
import io.varve.internal.lock.StoreLocks;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Lets commits through, and now and then shuts them out for a short time, so that a snapshot falls
/// between two of them.
///
/// - (G1) A commit is inside from before it reserves its LSN until it is applied.
/// - (G2) While the gate is shut nobody is inside but the thread that shut it.
/// - (GATE-3) Shutting ends: if a thread inside is lost, the store fails, and the gate opens again.
///
/// Entering and leaving is one atomic addition each, on a counter that few threads share.
public final class CommitGate {
  private static final int STRIPES = 16;

  /// Longs between two counters, so that they share no cache line (nor the pair that is
  /// prefetched).
  private static final int SPACING = 16;

  private static final int SPINS = 1000;

  private final Clock clock;
  private final StoreLocks locks;
  private final AtomicLongArray inside = new AtomicLongArray((STRIPES + 1) * SPACING);
  private final OrderedLock shutting;
  private final Insiders insiders;

  private final Consumer<Throwable> onLost;

  private volatile @Nullable Thread shutBy;
  private long shutSince;
  private volatile long longestShutNanos;

  /// Makes a gate that is open.
  ///
  /// @param onLost fails the store, since a thread is lost inside
  public CommitGate(Clock clock, StoreLocks locks, Consumer<Throwable> onLost) {
    this(clock, locks, onLost, new Insiders());
  }

  /// @param insiders the threads inside
  CommitGate(Clock clock, StoreLocks locks, Consumer<Throwable> onLost, Insiders insiders) {
    this.insiders = insiders;
    this.clock = clock;
    this.locks = locks;
    this.shutting = new OrderedLock(locks, LockOrder.GATE);
    this.onLost = onLost;
  }

  /// The locks of the store.
  StoreLocks locks() {
    return locks;
  }

  private static int stripe() {
    return ((int) Thread.currentThread().threadId() & (STRIPES - 1)) * SPACING + SPACING;
  }

  /// Goes in; waits while another thread has the gate shut.
  void enter() {
    assert locks.mayWait(LockOrder.GATE, 0);
    while (!tryEnter()) {
      awaitOpening();
    }
  }

  /// Goes in, unless another thread has the gate shut.
  @SuppressWarnings("ReferenceEquality") // threads
  boolean tryEnter() {
    insiders.enter(); // before the thread counts: this may find no memory (GATE-3)
    int stripe = stripe();
    inside.getAndIncrement(stripe);
    Thread shutter = shutBy;
    if (shutter == null || shutter == Thread.currentThread()) {
      assert locks.entered(LockOrder.GATE, 0);
      return true;
    }
    inside.getAndDecrement(stripe);
    insiders.leave();
    return false;
  }

  @SuppressWarnings("LockNotBeforeTry") // held for no work: taking it is the wait
  private void awaitOpening() {
    insiders.expectOutside();
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
    assert locks.exit(LockOrder.GATE);
    insiders.leave();
    inside.getAndDecrement(stripe());
  }

  /// Shuts the gate and waits until all are out. The caller is not inside. May be nested.
  ///
  /// @throws StoreFailedException if a thread was lost inside; the gate is not shut (GATE-3)
  public void shut() {
    shutting.lock();
    if (shutting.getHoldCount() > 1) {
      return;
    }
    shutSince = clock.nanoTime();
    shutBy = Thread.currentThread();
    boolean isShut = false;
    try {
      for (int i = 1; i <= STRIPES; i++) {
        awaitNobody(i * SPACING);
      }
      isShut = true;
    } finally {
      if (!isShut) {
        open();
      }
    }
  }

  private void awaitNobody(int counter) {
    if (inside.get(counter) != 0) {
      Backoff.until(clock, () -> inside.get(counter) == 0, this::requireInsiders);
    }
  }

  /// Fails the store if a thread inside is lost (GATE-3).
  private void requireInsiders() {
    String lost = insiders.findLost();
    if (lost != null) {
      var failure =
          new StoreFailedException(
              "a thread was lost while it applied a commit: thread="
                  + lost
                  + "; no snapshot or checkpoint can be taken any more; close and reopen the store,"
                  + " and see that the thread does not run out of stack or memory");
      onLost.accept(failure);
      throw failure;
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
