package io.varve.internal.wal.group;

import static java.lang.invoke.MethodHandles.lookup;

import io.varve.internal.disk.Clock;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One parked thread, or one future, on a stack of waiters. A node is waited on once.
///
/// - (T1) A thread leaves only after its node was *woken*. The thread that takes a stack wakes
///   every node of it, directly or by passing a part of the stack to a node it wakes.
/// - (T2) A waiting thread yields at first, then sets `state` to parked; the waker sets it to
///   woken, once, and unparks the thread that has parked. Either sees what the other did
///   (compare-and-set).
final class Waiter {
  /// Ends every stack that takes no more waiters.
  static final Waiter CLOSED = new Waiter(null, null, 0);

  /// How many nodes one woken thread wakes in turn. Waking a whole batch from one thread keeps the
  /// log's writer from its next write; a woken thread is on a core already.
  static final int GROUP = 12;

  private static final int YIELDING = 0;
  private static final int PARKED = -1;

  private static final VarHandle STATE =
      ConstantBootstraps.fieldVarHandle(
          lookup(), "state", VarHandle.class, Waiter.class, int.class);

  final @Nullable Thread thread;
  final @Nullable CompletableFuture<Void> future;

  /// What a future waits for.
  final long lsn;

  /// Written before the node is pushed; read by the thread that took the stack, and by (T1) group
  /// leaders.
  @Nullable Waiter next;

  /// Nodes on the stack from this one down; written before the push.
  int stackDepth;

  /// [#YIELDING], [#PARKED], or once woken 1 + the nodes below this one that its thread must wake.
  /// Volatile: written by the waiting thread, then by the waker (T2).
  private volatile int state;

  private Waiter(@Nullable Thread thread, @Nullable CompletableFuture<Void> future, long lsn) {
    this.thread = thread;
    this.future = future;
    this.lsn = lsn;
  }

  /// A node for the calling thread.
  static Waiter ofThread() {
    return new Waiter(Thread.currentThread(), null, 0);
  }

  /// A node for a future that completes when the log is durable up to `lsn`.
  static Waiter ofFuture(CompletableFuture<Void> future, long lsn) {
    return new Waiter(null, future, lsn);
  }

  /// Lets the calling thread, which is this node's, wait until woken; passes the wake-up on to its
  /// group.
  ///
  /// @return whether an interrupt arrived during the wait; its flag is cleared then
  boolean await(Object blocker) {
    announcePark();
    boolean interrupted = false;
    int woken;
    while ((woken = state) == PARKED) {
      LockSupport.park(blocker);
      interrupted |= Thread.interrupted();
    }
    Waiter below = next;
    for (int i = 1; i < woken && below != null; i++) {
      Waiter after = below.next;
      below.wake(0);
      below = after;
    }
    return interrupted;
  }

  private void announcePark() {
    if (state == YIELDING) {
      STATE.compareAndSet(this, YIELDING, PARKED);
    }
  }

  /// Parks the calling thread, which is this node's, until woken or until the clock has reached a
  /// time. It must [#await] in either case.
  ///
  /// @return whether an interrupt arrived during the wait; its flag is cleared then
  boolean parkUntil(Clock clock, long deadlineNanos) {
    announcePark();
    boolean interrupted = false;
    long left;
    while (state == PARKED && (left = deadlineNanos - clock.nanoTime()) > 0) {
      clock.parkNanos(this, left);
      interrupted |= Thread.interrupted();
    }
    return interrupted;
  }

  /// Whether the wait is not over, and the thread has not parked.
  boolean isYielding() {
    return state == YIELDING;
  }

  /// Whether the wait is over.
  boolean isWoken() {
    return state > 0;
  }

  /// Wakes a thread that has parked.
  private void wake(int group) {
    state = 1 + group;
    LockSupport.unpark(thread);
  }

  /// The last node of a stack that was taken.
  static Waiter last(Waiter stack) {
    Waiter last = stack;
    while (last.next != null) {
      last = last.next;
    }
    return last;
  }

  /// Wakes all threads of a stack that was taken. Futures stay for the caller.
  ///
  /// @return the stack of futures among them, or null
  static @Nullable Waiter wakeAll(@Nullable Waiter stack) {
    Waiter futures = null;
    Waiter parked = null;
    for (Waiter at = stack; at != null && at != CLOSED; ) {
      Waiter after = at.next;
      if (at.future != null) {
        at.next = futures;
        futures = at;
      } else if (!STATE.compareAndSet(at, YIELDING, 1)) {
        at.next = parked;
        parked = at;
      }
      at = after;
    }
    while (parked != null) {
      Waiter leader = parked;
      int group = 0;
      for (parked = leader.next; group < GROUP && parked != null; parked = parked.next) {
        group++;
      }
      leader.wake(group);
    }
    return futures;
  }
}
