package io.varve.internal.wal.group;

import static java.lang.invoke.MethodHandles.lookup;

import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A stretch of log that is written with one write. It starts and ends at a block, so that several
/// batches can be under way concurrently.
///
/// - (B1) `next` is set before `end`, and `end` before the next batch can be found as the open one.
///   So a thread that sees a batch sealed can walk on.
/// - (B2) The thread that wants a force sets `forceRequested` and then looks at `state`; the thread
///   that writes the batch sets `state` and then looks at `forceRequested`. One of them sees the
///   other (both volatile).
/// - (B3) The stack of waiters is closed only after the durable LSN, or the failure, that answers
///   them is visible.
final class Batch {
  static final int OPEN = 0; // not written yet, sealed or not
  static final int WRITTEN = 1; // with the operating system
  static final int FORCED = 2; // durable by itself: written synchronously

  private static final VarHandle WAITERS =
      ConstantBootstraps.fieldVarHandle(
          lookup(), "waiters", VarHandle.class, Batch.class, Waiter.class);

  final long startLsn;

  /// Where its mark is to be written, by the thread that writes the batch; -1 if it has none.
  /// Written by the sealer before `endLsn`, and used by the same thread.
  long markLsn = -1;

  /// Where the batch ends; `Long.MAX_VALUE` until sealed. Written once, by the sealer.
  volatile long endLsn = Long.MAX_VALUE;

  /// The batch next; this batch itself once all before that one are complete. Null until sealed.
  volatile @Nullable Batch next;

  /// Whether somebody waits for a force of it.
  volatile boolean forceRequested;

  /// Whether a thread waits for it that does not look whether it is time to write it.
  volatile boolean needsFlusher;

  /// Whether it is to be written immediately, though more commits might join it.
  volatile boolean flushNow;

  volatile int state;

  /// Volatile by (B3), changed by compare-and-set.
  private volatile @Nullable Waiter waiters;

  Batch(long startLsn) {
    this.startLsn = startLsn;
  }

  boolean isSealed() {
    return endLsn != Long.MAX_VALUE;
  }

  /// Adds a waiter; false if the batch is complete and takes none.
  boolean push(Waiter waiter) {
    while (true) {
      Waiter top = waiters;
      if (top == Waiter.CLOSED) {
        return false;
      }
      waiter.next = top;
      waiter.stackDepth = top == null ? 1 : top.stackDepth + 1;
      if (WAITERS.compareAndSet(this, top, waiter)) {
        return true;
      }
    }
  }

  /// How many wait, about.
  int waiterCount() {
    Waiter top = waiters;
    return top == null ? 0 : top.stackDepth;
  }

  boolean isComplete() {
    return waiters == Waiter.CLOSED;
  }

  /// Takes all waiters and admits no more.
  @Nullable Waiter closeWaiters() {
    return (Waiter) WAITERS.getAndSet(this, Waiter.CLOSED);
  }
}
