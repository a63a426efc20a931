package io.varve.internal.item;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Holds threads until it is opened, once and for all.
///
/// (G1) Each thread that waits when it is opened is woken. The list of waiters is closed by one
/// step, and each thread that is woken wakes its share of the others. So a thousand do not wait for
/// one thread that wakes them all. Where there is no memory for that, one thread does.
final class GroupLatch {
  /// How many others each thread wakes.
  private static final int WAKES = 3;

  private static final Waiter CLOSED = new Waiter(null, null);

  private static final Waiter[] NONE = {};

  private final AtomicReference<@Nullable Waiter> newest = new AtomicReference<>();

  /// The threads that waited when the latch was opened, or null. Thread `i` wakes those from `WAKES
  /// * i + 1` on. Written once, by the thread that opens.
  private volatile Waiter @Nullable [] woken;

  private static final class Waiter {
    final @Nullable Thread thread;
    final @Nullable Waiter older;

    /// Written before `woken`, read after.
    int index;

    Waiter(@Nullable Thread thread, @Nullable Waiter older) {
      this.thread = thread;
      this.older = older;
    }
  }

  /// Lets all through. Called once.
  void open() {
    Waiter last = newest.getAndSet(CLOSED);
    int count = 0;
    for (Waiter waiter = last; waiter != null; waiter = waiter.older) {
      waiter.index = count++;
    }
    Waiter[] all;
    try {
      all = new Waiter[count];
    } catch (OutOfMemoryError _) {
      woken = NONE;
      for (Waiter waiter = last; waiter != null; waiter = waiter.older) {
        LockSupport.unpark(waiter.thread);
      }
      return;
    }
    for (Waiter waiter = last; waiter != null; waiter = waiter.older) {
      all[waiter.index] = waiter;
    }
    woken = all;
    wake(all, 0, 1);
  }

  private static void wake(Waiter[] all, int from, int count) {
    for (int i = from; i < Math.min(from + count, all.length); i++) {
      LockSupport.unpark(all[i].thread);
    }
  }

  /// Waits until the latch is open. An interrupt does not end that, and stays set.
  @SuppressWarnings("ReferenceEquality") // the mark of a closed list
  void await() {
    Waiter self;
    Waiter older;
    do {
      older = newest.get();
      if (older == CLOSED) {
        return;
      }
      self = new Waiter(Thread.currentThread(), older);
    } while (!newest.compareAndSet(older, self));
    boolean interrupted = false;
    Waiter[] all = woken;
    while (all == null) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
      all = woken;
    }
    wake(all, WAKES * self.index + 1, WAKES);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
