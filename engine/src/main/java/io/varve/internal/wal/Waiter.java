package io.varve.internal.wal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One parked thread, or one future, on a stack of waiters. A node is waited on once.
///
/// - (T1) A thread leaves only after its node was *woken*: whoever takes a stack wakes every node
///   of it, directly or by passing a part of the stack to a node it wakes.
/// - (T2) `state` is written once, by the waker, before it unparks.
final class Waiter {
  /// Ends every stack that takes no more waiters.
  static final Waiter CLOSED = new Waiter(null, null, 0);

  /// How many nodes one woken thread wakes in turn. Waking a whole batch from one thread keeps the
  /// log's writer from its next write; a woken thread is on a core already.
  static final int GROUP = 12;

  final @Nullable Thread thread;
  final @Nullable CompletableFuture<Void> future;

  /// What a future waits for.
  final long lsn;

  /// Written before the node is pushed; read by who took the stack, and by (T1) group leaders.
  @Nullable Waiter next;

  /// Nodes on the stack from this one down; written before the push.
  int depth;

  /// 0 while waiting, then 1 + the nodes below this one that its thread must wake. Volatile:
  /// written by the waker, read by the waiting thread (T2).
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

  /// Parks the calling thread, which is this node's, until woken; passes the wake-up on to its
  /// group.
  ///
  /// @return whether an interrupt arrived meanwhile; its flag is cleared then
  boolean parkUntilWoken(Object blocker) {
    boolean interrupted = false;
    int woken;
    while ((woken = state) == 0) {
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

  private void wake(int group) {
    state = 1 + group;
    LockSupport.unpark(thread);
  }

  /// Wakes all threads of a stack that was taken. Futures stay for the caller.
  ///
  /// @return the stack of futures among them, or null
  static @Nullable Waiter wakeAll(@Nullable Waiter stack) {
    Waiter futures = null;
    Waiter at = stack;
    while (at != null && at != CLOSED) {
      Waiter leader = at;
      at = leader.next;
      if (leader.future != null) {
        leader.next = futures;
        futures = leader;
        continue;
      }
      // The group: the nodes right below that are threads too.
      int group = 0;
      while (group < GROUP && at != null && at != CLOSED && at.future == null) {
        group++;
        at = at.next;
      }
      leader.wake(group);
    }
    return futures;
  }
}
