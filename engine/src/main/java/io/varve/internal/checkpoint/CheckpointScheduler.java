package io.varve.internal.checkpoint;

import io.varve.StoreClosedException;
import io.varve.StoreFullException;
import io.varve.VarveException;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.disk.Threads;
import io.varve.internal.wal.Log;

/// The thread that writes checkpoints when they are due, and compacts when much of the file is
/// free. It serves [CheckpointRequests].
///
/// A checkpoint that finds the disk full is tried again later; one that fails has failed the store,
/// which refuses commits with the cause. A compaction that a close ends has not failed, and nothing
/// is logged of it.
public final class CheckpointScheduler implements Runnable {
  /// How long to wait after a checkpoint that could not be written.
  private static final long RETRY_NANOS = 200_000_000;

  private final Checkpointer checkpointer;
  private final Compactor compactor;
  private final CheckpointRequests requests;
  private final CheckpointInterval interval;
  private final Log log;
  private final Thread thread;

  /// What is logged of checkpoints that fail. For the thread alone.
  private final RepeatedWarning warnings =
      new RepeatedWarning(() -> System.getLogger(CheckpointScheduler.class.getName()));

  /// What a compaction looks after, on whichever thread.
  private final Compactor.Duties duties =
      new Compactor.Duties() {
        @Override
        public void checkpointIfWanted() {
          if (!requests.wantsCheckpoint()) {
            return;
          }
          requests.takeCheckpoint();
          boolean done = false;
          try {
            checkpointer.checkpoint();
            done = true;
          } finally {
            if (!done) {
              // The thread that asked is to hear of it, or get one after all.
              requests.askForCheckpoint();
            }
          }
        }

        @Override
        public boolean isStopping() {
          return requests.isStopping();
        }
      };

  public CheckpointScheduler(
      Checkpointer checkpointer,
      Compactor compactor,
      CheckpointRequests requests,
      CheckpointInterval interval,
      Log log,
      StoreThreads threads) {
    this.checkpointer = checkpointer;
    this.compactor = compactor;
    this.requests = requests;
    this.interval = interval;
    this.log = log;
    this.thread = threads.newThread("varve-checkpoint", this);
  }

  public void start() {
    thread.start();
  }

  /// Ends the thread; a checkpoint under way is finished first.
  public void stop() {
    requests.stop();
    Threads.join(thread);
  }

  /// Compacts on the caller's thread.
  public long compactNow() {
    return compactor.compact(duties);
  }

  private void compactFor(CompactionRequest request) {
    VarveException cause = null;
    try {
      compactor.compact(new RequestDuties(request));
    } catch (VarveException e) {
      cause = e;
    } finally {
      request.end(cause);
    }
  }

  /// What the compaction of a request looks after.
  private final class RequestDuties implements Compactor.Duties {
    private final CompactionRequest request;
    private boolean isOver;

    RequestDuties(CompactionRequest request) {
      this.request = request;
    }

    @Override
    public void checkpointIfWanted() {
      duties.checkpointIfWanted();
      if (request.isTight()) {
        checkpointer.checkpoint();
        isOver |= request.isTight();
      }
    }

    @Override
    public boolean isStopping() {
      return isOver || requests.isStopping() || request.isLate();
    }
  }

  /// Removes a part of a space that was dropped.
  ///
  /// @return whether there was any
  private boolean removeDropped() {
    requests.takeRemoval();
    if (!compactor.hasDropped() || log.failure() != null) {
      return false;
    }
    try {
      boolean removed = compactor.removeDropped();
      if (removed) {
        interval.expectChanges(); // a checkpoint in time frees it
      }
      return removed;
    } catch (VarveException e) {
      warnings.warn("a part of a dropped space is not removed yet", e.toString(), e);
      return false;
    }
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
    interval.begin();
    while (!requests.isStopping()) {
      try {
        serve();
      } catch (OutOfMemoryError e) {
        // What may be half done has failed the log by itself. The rest is tried again.
        if (log.failure() != null) {
          throw e;
        }
        requests.repeatCheckpoint();
        requests.pause(RETRY_NANOS); // makes no object, as the rest does
        warnOf(e);
      }
    }
  }

  private void warnOf(OutOfMemoryError e) {
    try {
      warnings.warn("no memory for a checkpoint or what follows it", e.toString(), e);
    } catch (OutOfMemoryError _) {
      // as little as before: what matters is the checkpoint
    }
  }

  private void serve() {
    CompactionRequest compaction = requests.takeCompaction();
    if (compaction != null) {
      compactFor(compaction);
    } else if (requests.isCheckpointAsked() || interval.isDue()) {
      write(this::checkpoint);
    } else if (requests.isMemoryAsked()) {
      write(this::spill);
    } else if (!removeDropped()) {
      requests.await(interval.nanosLeft());
      look();
      interval.passIdle();
    }
  }

  private void look() {
    switch (interval.look()) {
      case NOTHING -> {}
      case CHECKPOINT -> write(this::checkpoint);
      case RELEASE_AND_COMPACT -> {
        write(this::releaseLog);
        rest();
      }
      case COMPACT -> rest();
    }
  }

  /// Releases all log but the segment in use: the second checkpoint what was before the first.
  private void releaseLog() {
    checkpoint();
    checkpoint();
  }

  private void checkpoint() {
    interval.begin();
    requests.takeCheckpoint();
    checkpointer.checkpoint();
  }

  private void spill() {
    requests.takeMemory();
    checkpointer.spill();
  }

  /// Writes dirty pages, and frees what that allows to be freed.
  private void write(Runnable pages) {
    requests.writing(true);
    try {
      pages.run();
      requests.writing(false);
      removeDropped();
      compactor.compactIfWorthwhile(duties);
      warnings.end();
    } catch (StoreClosedException _) {
      awaitStop();
    } catch (StoreFullException e) {
      requests.repeatCheckpoint();
      log.refuseCapacity(e);
      requests.refuse(e, checkpointer.roundCount());
      requests.pause(RETRY_NANOS);
    } catch (VarveException e) {
      requests.repeatCheckpoint();
      // A store that has failed fails each checkpoint for that.
      Throwable failure = log.failure();
      warnings.warn("checkpoint not written", String.valueOf(failure == null ? e : failure), e);
      requests.pause(RETRY_NANOS);
    } finally {
      requests.writing(false);
    }
  }

  /// Waits for the [#stop] of a close that has refused to move a value. That is no failure: the
  /// value stays where it is, and the close writes the last checkpoint.
  private void awaitStop() {
    requests.pause(RETRY_NANOS);
  }

  /// Returns what the files of a store do not need that nobody writes to.
  private void rest() {
    log.releaseSpares();
    try {
      compactor.compactIfIdle(duties);
    } catch (StoreClosedException _) {
      awaitStop();
    } catch (VarveException e) {
      warnings.warn("the page file was not compacted", e.toString(), e);
    }
  }
}
