package io.varve.internal.store;

import io.varve.VarveException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.txn.Committer;
import io.varve.internal.txn.LogNotes;
import java.util.concurrent.locks.LockSupport;

/// The thread that notes the time in a log that is kept: once a second while there are commits, and
/// when the store is closed.
final class TimeKeeper implements Runnable {
  /// How far two notes are apart: the resolution of a restore to a time.
  private static final long INTERVAL_NANOS = 1_000_000_000;

  private final LogNotes notes;
  private final Committer committer;
  private final Clock clock;
  private final Thread thread;

  /// The last note. For the thread, and after its end for whoever stopped it.
  private long notedLsn;

  private volatile boolean stopping;

  TimeKeeper(LogNotes notes, Committer committer, Clock clock, StoreThreads threads) {
    this.notes = notes;
    this.committer = committer;
    this.clock = clock;
    this.notedLsn = committer.lastCommit();
    this.thread = threads.newThread("varve-time", this);
  }

  void start() {
    thread.start();
  }

  @Override
  public void run() {
    while (!stopping) {
      clock.parkNanos(this, INTERVAL_NANOS);
      note();
    }
  }

  private void note() {
    if (committer.lastCommit() == notedLsn) {
      return;
    }
    try {
      notedLsn = notes.time(clock::currentTimeMillis); // if there was no room, the next one will do
    } catch (VarveException _) {
      // A full or failed log refuses commits as well, and says so to them.
    }
  }

  /// Ends the thread, and notes the time of the last commits.
  void stop() {
    stopping = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    note();
  }
}
