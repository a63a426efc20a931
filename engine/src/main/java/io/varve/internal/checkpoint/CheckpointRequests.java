package io.varve.internal.checkpoint;

import io.varve.StoreFullException;
import io.varve.VarveException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Threads;
import io.varve.internal.wal.Log;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// What is asked of the checkpoint thread, and what it reports to those that wait for it. Made
/// before all that asks, and before the thread that serves: what is asked for stays until then.
///
/// (REQUESTS-1) A request is a volatile write followed by a read of `server`. The thread that
/// serves writes itself there before it looks at the requests and parks. So none is overlooked.
///
/// Safe for threads. A caller waits for nothing, unless the method documents it.
public final class CheckpointRequests {
  /// How often a thread that waits for a compaction looks for a close or a failure.
  private static final long LOOK_NANOS = 20_000_000;

  private final DirtyShare dirty;
  private final Clock clock;

  private volatile boolean checkpointAsked;

  /// Whether dirty pages are to leave memory.
  private volatile boolean memoryAsked;

  /// Whether a space was dropped since the thread last looked for one.
  private volatile boolean removalAsked;

  /// What is to be compacted for next, or null. Written by one caller of [#compactUntil] at a time,
  /// and taken by the thread that serves.
  private final AtomicReference<@Nullable CompactionRequest> compaction = new AtomicReference<>();

  private volatile boolean writing;
  private volatile boolean stopping;
  private volatile @Nullable Refusal refusal;

  /// The thread that serves, once it has waited for requests.
  private volatile @Nullable Thread server;

  /// A full disk.
  ///
  /// @param rounds how often dirty pages were written before: with another number it is over
  private record Refusal(StoreFullException cause, long rounds) {}

  public CheckpointRequests(DirtyShare dirty, Clock clock) {
    this.dirty = dirty;
    this.clock = clock;
  }

  /// Asks for a checkpoint soon.
  public void askForCheckpoint() {
    if (!checkpointAsked) {
      checkpointAsked = true;
      wakeServer();
    }
  }

  /// Asks that dirty pages be written, unless that is being done.
  void askForMemory() {
    if (!writing && !memoryAsked) {
      memoryAsked = true;
      wakeServer();
    }
  }

  /// Asks that what was dropped be removed soon.
  public void askForRemoval() {
    removalAsked = true;
    wakeServer();
  }

  /// Asks that the thread ends, and all that waits for it, since the store is to be closed.
  void stop() {
    stopping = true;
    wakeServer();
  }

  private void wakeServer() {
    LockSupport.unpark(server); // none before it first waits
  }

  /// Has the thread compact until a time, with checkpoints in between where `isTight`, and no
  /// further where it still is after one. Waits for it until that time, a close or a failure of the
  /// log. What it moves are commits of their own, which no commit of the caller may be taken for.
  ///
  /// @throws VarveException what the compaction broke off with
  void compactUntil(long deadlineNanos, BooleanSupplier isTight, Log log) {
    var request = new CompactionRequest(clock, deadlineNanos, isTight);
    compaction.set(request);
    wakeServer();
    boolean interrupted = false;
    while (!request.isDone() && !stopping && log.failure() == null && !request.isLate()) {
      clock.ofCallers().parkNanos(request, LOOK_NANOS);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt(); // of the user whose commit waits here
    }
    request.requireSound();
  }

  /// Whether the store is to be closed.
  boolean isStopping() {
    return stopping;
  }

  /// Why a checkpoint that was asked for cannot be written, or null if one may be.
  ///
  /// @param rounds how often dirty pages were written so far
  @Nullable StoreFullException refusal(long rounds) {
    Refusal last = refusal;
    return last == null || last.rounds != rounds ? null : last.cause;
  }

  // What follows is for the thread that serves.

  boolean isCheckpointAsked() {
    return checkpointAsked;
  }

  boolean isMemoryAsked() {
    return memoryAsked;
  }

  /// Whether a checkpoint was asked for, or dirty pages ask for one.
  boolean wantsCheckpoint() {
    return checkpointAsked || dirty.wantsCheckpoint();
  }

  /// The next compaction to serve, or null.
  @Nullable CompactionRequest takeCompaction() {
    return compaction.getAndSet(null);
  }

  /// Asks for a checkpoint again, which could not be written. Wakes nobody: the thread that serves
  /// is the caller.
  void repeatCheckpoint() {
    checkpointAsked = true;
  }

  /// Takes what a checkpoint serves. Called before it: a thread that asks while it runs asks for
  /// another.
  void takeCheckpoint() {
    checkpointAsked = false;
    memoryAsked = false;
  }

  /// Takes what a spill serves.
  void takeMemory() {
    memoryAsked = false;
  }

  void takeRemoval() {
    removalAsked = false;
  }

  /// Notes whether dirty pages are being written.
  void writing(boolean value) {
    writing = value;
  }

  /// Refuses the threads that wait, since the disk is full, until dirty pages are written.
  ///
  /// @param rounds how often they were so far
  void refuse(StoreFullException cause, long rounds) {
    refusal = new Refusal(cause, rounds);
  }

  /// Waits until something is asked for, or a time has passed. Since it was woken, the thread may
  /// have parked for a lock as well, and have taken the permit of the thread that asked. Hence the
  /// look.
  void await(long nanos) {
    server = Thread.currentThread(); // (REQUESTS-1)
    if (!isAsked()) {
      Threads.park(clock, this, nanos);
    }
  }

  private boolean isAsked() {
    return stopping || checkpointAsked || memoryAsked || removalAsked || compaction.get() != null;
  }

  /// Waits for a time before a retry, or less if anything is asked for. Callers of the store may
  /// wait for what is retried.
  void pause(long nanos) {
    server = Thread.currentThread();
    if (!stopping) {
      Threads.park(clock.ofCallers(), this, nanos);
    }
  }
}
