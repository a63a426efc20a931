package io.varve.internal.store;

import io.varve.StoreFullException;
import io.varve.VarveException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.disk.Threads;
import io.varve.internal.txn.Committer;
import io.varve.internal.wal.Log;
import java.util.concurrent.locks.LockSupport;

/// The thread that writes checkpoints when they are due, and compacts when much of the file is
/// free.
///
/// A checkpoint that finds the disk full is tried again later; one that fails has failed the store,
/// which refuses commits with the cause.
final class Housekeeper implements Runnable {
  /// How long to wait after a checkpoint that could not be written.
  private static final long RETRY_NANOS = 200_000_000;

  private final Checkpointer checkpointer;
  private final Compactor compactor;
  private final Committer committer;
  private final Backpressure backpressure;
  private final Log log;
  private final Clock clock;
  private final long intervalNanos;
  private final Thread thread;

  /// The last commit when the store was last tidied for want of work. For the thread alone.
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
          crowded = false;
          boolean done = false;
          try {
            checkpointer.checkpoint();
            done = true;
          } finally {
            if (!done) {
              askForCheckpoint(); // who asked is to hear of it, or get one after all
            }
          }
        }

        @Override
        public boolean areEnding() {
          return stopping;
        }
      };

  private volatile boolean asked;

  /// Whether dirty pages are to leave memory.
  private volatile boolean crowded;

  private volatile boolean writing;
  private volatile boolean stopping;

  Housekeeper(
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

  void start() {
    thread.start();
  }

  /// Asks for a checkpoint soon. Waits for nothing.
  void askForCheckpoint() {
    if (!asked) {
      asked = true;
      LockSupport.unpark(thread);
    }
  }

  /// Asks that dirty pages be written, unless that is being done.
  void askForMemory() {
    if (!writing && !crowded) {
      crowded = true;
      LockSupport.unpark(thread);
    }
  }

  /// Compacts on the caller's thread.
  long compactNow() {
    return compactor.compact(duties);
  }

  /// Ends the thread; a checkpoint under way is finished first.
  void stop() {
    stopping = true;
    backpressure.end();
    LockSupport.unpark(thread);
    if (Threads.join(thread)) {
      Thread.currentThread().interrupt();
    }
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
    System.getLogger(Housekeeper.class.getName()).log(System.Logger.Level.WARNING, what, e);
  }

  @Override
  public void run() {
    try {
      keepHouse();
    } catch (RuntimeException | Error e) {
      // Nobody else would write the checkpoints that commits wait for.
      log.fail(e);
      throw e;
    }
  }

  private void keepHouse() {
    long last = clock.nanoTime();
    long commitsThen = committer.lastCommit();
    while (!stopping) {
      boolean due =
          asked
              || (clock.nanoTime() - last >= intervalNanos
                  && committer.lastCommit() != commitsThen);
      if (!due && !crowded) {
        clock.parkNanos(this, Math.min(intervalNanos, intervalNanos - (clock.nanoTime() - last)));
        if (clock.nanoTime() - last >= intervalNanos && committer.lastCommit() == commitsThen) {
          last = clock.nanoTime();
          tidyWhileIdle(commitsThen);
        }
        continue;
      }
      // Before the checkpoint: whoever asks while it runs asks for another.
      crowded = false;
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
        compactor.compactIfWorthwhile(duties);
      } catch (StoreFullException e) {
        asked = true;
        log.refuseRoom(e);
        backpressure.refuse(e);
        clock.parkNanos(this, RETRY_NANOS);
      } catch (VarveException e) {
        asked = true;
        warn("checkpoint not written", e);
        clock.parkNanos(this, RETRY_NANOS);
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
