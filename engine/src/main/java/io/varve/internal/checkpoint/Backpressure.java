package io.varve.internal.checkpoint;

import io.varve.StoreFullException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.wal.Log;
import java.util.concurrent.atomic.LongAdder;

/// Asks for a checkpoint when dirty pages pass a share of the cache, and slows writers smoothly
/// when they pass a larger one: a little at first, and so much near the budget that the checkpoint
/// keeps up. Only if it does not, since each commit dirties a great many pages, do writers wait for
/// it at the budget.
public final class Backpressure {
  private static final long DELAY_NANOS_MAX = 2_000_000;

  private final DirtyShare dirty;
  private final CheckpointRequests requests;
  private final Checkpointer checkpointer;
  private final Log log;
  private final StoreThreads threads;
  private final Clock clock;
  private final LongAdder throttledNanos = new LongAdder();

  public Backpressure(
      DirtyShare dirty,
      CheckpointRequests requests,
      Checkpointer checkpointer,
      Log log,
      StoreThreads threads,
      Clock clock) {
    this.dirty = dirty;
    this.requests = requests;
    this.checkpointer = checkpointer;
    this.log = log;
    this.threads = threads;
    this.clock = clock;
  }

  /// Waits a little if writers are to be slowed.
  void beforeCommit() {
    if (!dirty.wantsCheckpoint()) {
      return;
    }
    requests.askForMemory();
    if (!dirty.isSlowing() || (threads.callerMayServe() && checkpointer.trySpill())) {
      return;
    }
    if (dirty.isFull()) {
      awaitCheckpoint();
    } else {
      slow();
    }
  }

  /// Whether writers are not to be slowed now. Asks for a checkpoint as [#beforeCommit] does.
  boolean passesNow() {
    if (!dirty.wantsCheckpoint()) {
      return true;
    }
    requests.askForMemory();
    return !dirty.isSlowing();
  }

  /// Waits until dirty pages are within the budget. Two checkpoints are enough: the second began
  /// after the call, and writes all that was dirty then.
  private void awaitCheckpoint() {
    long started = clock.nanoTime();
    long before = checkpointer.roundCount();
    while (dirty.isFull()
        && checkpointer.roundCount() - before < 2
        && log.failure() == null
        && !requests.isStopping()) {
      StoreFullException full = requests.refusal(checkpointer.roundCount());
      if (full != null) {
        throw new StoreFullException(
            "no capacity for a checkpoint, which memory has to wait for; nothing was changed;"
                + " free capacity and try again",
            full);
      }
      requests.askForMemory();
      clock.delay(this, DELAY_NANOS_MAX);
    }
    throttledNanos.add(clock.nanoTime() - started);
  }

  private void slow() {
    double excess = dirty.urgency();
    long nanos = (long) (DELAY_NANOS_MAX * excess * excess);
    long started = clock.nanoTime();
    clock.delay(this, Math.max(1, nanos));
    throttledNanos.add(clock.nanoTime() - started);
  }

  public long throttledNanos() {
    return throttledNanos.sum();
  }
}
