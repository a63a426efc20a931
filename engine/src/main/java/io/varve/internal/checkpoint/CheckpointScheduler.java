package io.varve.internal.checkpoint;

import io.varve.StoreFullException;
import io.varve.VarveException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.disk.Threads;
import io.varve.internal.txn.Committer;
import io.varve.internal.wal.Log;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The thread that writes checkpoints when they are due, and compacts when much of the file is
/// free.
///
/// A checkpoint that finds the disk full is tried again later; one that fails has failed the store,
/// which refuses commits with the cause.
public final class CheckpointScheduler implements Runnable {
  /// How long to wait after a checkpoint that could not be written.
  private static final long RETRY_NANOS = 200_000_000;

  /// How often a thread that waits for a compaction looks for a close or a failure.
  private static final long REQUEST_NANOS = 20_000_000;

  private final Checkpointer checkpointer;
  private final Compactor compactor;
  private final Committer committer;
  private final Backpressure backpressure;
  private final Log log;
  private final Clock clock;
  private final long intervalNanos;
  private final Thread thread;

  /// What is logged of checkpoints that fail. For the thread alone.
  private final RepeatedWarning warnings =
      new RepeatedWarning(System.getLogger(CheckpointScheduler.class.getName()));

  /// The last commit of the last checkpoint. For the thread alone.
  private long commitsThen;

  /// The last commit when the store was last tidied for lack of work. For the thread alone.
  private long tidiedAt = -1;

  /// What a compaction looks after, on whichever thread.
  private final Compactor.Duties duties =
      new Compactor.Duties() {
        @Override
        public void checkpointIfWanted() {
          if (!asked && !backpressure.wantsCheckpoint()) {
            return;
          }
          asked = false;
          memoryPressure = false;
          boolean done = false;
          try {
            checkpointer.checkpoint();
            done = true;
          } finally {
            if (!done) {
              askForCheckpoint(); // the thread that asked is to hear of it, or get one after all
            }
          }
        }

        @Override
        public boolean isStopping() {
          return stopping;
        }
      };

  private volatile boolean asked;

  /// What the thread is to compact for next, or null. Written by one caller of [#compactUntil] at a
  /// time, and taken by the thread.
  private final AtomicReference<@Nullable CompactionRequest> requested = new AtomicReference<>();

  /// Whether dirty pages are to leave memory.
  private volatile boolean memoryPressure;

  /// Whether a space was dropped since the thread last looked for one.
  private volatile boolean removalAsked;

  private volatile boolean writing;
  private volatile boolean stopping;

  public CheckpointScheduler(
      Checkpointer checkpointer,
      Compactor compactor,
      Committer committer,
      Backpressure backpressure,
      Log log,
      Clock clock,
      StoreThreads threads,
      long intervalNanos) {
    this.checkpointer = checkpointer;
    this.compactor = compactor;
    this.committer = committer;
    this.backpressure = backpressure;
    this.log = log;
    this.clock = clock;
    this.intervalNanos = intervalNanos;
    this.thread = threads.newThread("varve-checkpoint", this);
  }

  public void start() {
    thread.start();
  }

  /// Asks for a checkpoint soon. Waits for nothing.
  public void askForCheckpoint() {
    if (!asked) {
      asked = true;
      LockSupport.unpark(thread);
    }
  }

  /// Asks that dirty pages be written, unless that is being done.
  public void askForMemory() {
    if (!writing && !memoryPressure) {
      memoryPressure = true;
      LockSupport.unpark(thread);
    }
  }

  /// Compacts on the caller's thread.
  public long compactNow() {
    return compactor.compact(duties);
  }

  /// What a commit without capacity waits for.
  private static final class CompactionRequest {
    final long deadlineNanos;
    final BooleanSupplier isTight;
    final Thread waiter = Thread.currentThread();
    private @Nullable VarveException failure; // written before `done`
    private volatile boolean done;

    CompactionRequest(long deadlineNanos, BooleanSupplier isTight) {
      this.deadlineNanos = deadlineNanos;
      this.isTight = isTight;
    }
  }

  /// Has the thread compact until a time, with checkpoints in between where `isTight`, and no
  /// further where it still is after one. Waits for it until that time, a close or a failure. What
  /// it moves are commits of their own, which no commit of the caller may be taken for.
  ///
  /// @throws VarveException what the compaction broke off with
  void compactUntil(long deadlineNanos, BooleanSupplier isTight) {
    var request = new CompactionRequest(deadlineNanos, isTight);
    requested.set(request);
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (!request.done
        && !stopping
        && log.failure() == null
        && clock.nanoTime() - deadlineNanos < 0) {
      clock.parkNanos(request, REQUEST_NANOS);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt(); // of the user whose commit waits here
    }
    VarveException failure = request.done ? request.failure : null;
    if (failure != null) {
      throw failure;
    }
  }

  private void compactFor(CompactionRequest request) {
    try {
      compactor.compact(
          new Compactor.Duties() {
            private boolean isOver;

            @Override
            public void checkpointIfWanted() {
              duties.checkpointIfWanted();
              if (request.isTight.getAsBoolean()) {
                checkpointer.checkpoint();
                isOver |= request.isTight.getAsBoolean();
              }
            }

            @Override
            public boolean isStopping() {
              return isOver || stopping || clock.nanoTime() - request.deadlineNanos >= 0;
            }
          });
    } catch (VarveException e) {
      request.failure = e;
    } finally {
      request.done = true;
      LockSupport.unpark(request.waiter);
    }
  }

  /// Whether the thread is to end, since the store is to be closed.
  boolean isStopping() {
    return stopping;
  }

  /// Ends the thread; a checkpoint under way is finished first.
  public void stop() {
    stopping = true;
    backpressure.end();
    LockSupport.unpark(thread);
    Threads.join(thread);
  }

  /// Removes a part of a space that was dropped.
  ///
  /// @return whether there was any
  private boolean removeDropped() {
    if (!compactor.hasDropped() || log.failure() != null) {
      return false;
    }
    try {
      boolean removed = compactor.removeDropped();
      if (removed) {
        commitsThen = -1; // a checkpoint in time frees it, whether anything is committed or not
      }
      return removed;
    } catch (VarveException e) {
      warnings.warn("a part of a dropped space is not removed yet", e.toString(), e);
      return false;
    }
  }

  /// Removes what was dropped soon. Waits for nothing.
  public void askForRemoval() {
    removalAsked = true;
    LockSupport.unpark(thread);
  }

  /// Whether the thread has been asked for anything that it has not begun. To be looked at right
  /// before it parks: what it did since it was asked may have parked as well, for a lock, and have
  /// taken the permit of whoever asked.
  private boolean isAsked() {
    return stopping || asked || memoryPressure || removalAsked || requested.get() != null;
  }

  private void tidyWhileIdle(long lastCommit) {
    if (tidiedAt == lastCommit) {
      return; // Nothing to gain that was not there the last time.
    }
    tidiedAt = lastCommit;
    try {
      compactor.compactIfIdle(duties);
    } catch (VarveException e) {
      warn("the page file was not compacted", e);
    }
  }

  private static void warn(String what, VarveException e) {
    System.getLogger(CheckpointScheduler.class.getName()).log(System.Logger.Level.WARNING, what, e);
  }

  @Override
  public void run() {
    try {
      keepHouse();
    } catch (RuntimeException | Error e) {
      // Nobody else would write the checkpoints that commits wait for.
      log.fail(e);
      throw e;
    } finally {
      warnings.end();
    }
  }

  private void keepHouse() {
    long last = clock.nanoTime();
    commitsThen = committer.lastCommit();
    while (!stopping) {
      CompactionRequest request = requested.getAndSet(null);
      if (request != null) {
        compactFor(request);
        continue;
      }
      boolean due =
          asked
              || (clock.nanoTime() - last >= intervalNanos
                  && committer.lastCommit() != commitsThen);
      removalAsked = false;
      if (!due && !memoryPressure && removeDropped()) {
        continue;
      }
      if (!due && !memoryPressure) {
        if (!isAsked()) {
          Threads.park(
              clock, this, Math.min(intervalNanos, intervalNanos - (clock.nanoTime() - last)));
        }
        if (clock.nanoTime() - last >= intervalNanos && committer.lastCommit() == commitsThen) {
          last = clock.nanoTime();
          tidyWhileIdle(commitsThen);
        }
        continue;
      }
      // Before the checkpoint: whoever asks while it runs asks for another.
      memoryPressure = false;
      writing = true;
      try {
        if (due) {
          commitsThen = committer.lastCommit();
          last = clock.nanoTime();
          asked = false;
          checkpointer.checkpoint();
        } else {
          checkpointer.spill();
        }
        writing = false;
        warnings.end();
        removeDropped();
        compactor.compactIfWorthwhile(duties);
      } catch (StoreFullException e) {
        asked = true;
        log.refuseRoom(e);
        backpressure.refuse(e);
        Threads.park(clock, this, RETRY_NANOS);
      } catch (VarveException e) {
        asked = true;
        // A store that has failed fails each checkpoint for that.
        Throwable failure = log.failure();
        warnings.warn("checkpoint not written", String.valueOf(failure == null ? e : failure), e);
        Threads.park(clock, this, RETRY_NANOS);
      } catch (RuntimeException | Error e) {
        // Without this thread commits would wait for a checkpoint that never comes.
        log.fail(e);
        throw e;
      } finally {
        writing = false;
      }
    }
  }
}
