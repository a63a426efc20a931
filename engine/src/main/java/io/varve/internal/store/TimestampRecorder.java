package io.varve.internal.store;

import io.varve.VarveException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.disk.Threads;
import io.varve.internal.txn.ArchiveRecords;
import io.varve.internal.txn.Committer;
import io.varve.internal.wal.Log;
import java.util.concurrent.locks.LockSupport;

/// The thread that notes the time in a log that is kept: once a second while there are commits, and
/// when the store is closed.
///
/// If it cannot continue, it fails the store, which refuses commits with the cause: an archived log
/// without times would be found out by a restore, when it is too late.
final class TimestampRecorder implements Runnable {
  /// How far two notes are apart: the resolution of a restore to a time.
  private static final long INTERVAL_NANOS = 1_000_000_000;

  private final ArchiveRecords notes;
  private final Committer committer;
  private final Log log;
  private final Clock clock;
  private final Thread thread;

  /// The last note. For the thread, and after its end for the thread that stopped it.
  private long notedLsn;

  private volatile boolean stopping;

  TimestampRecorder(
      ArchiveRecords notes, Committer committer, Log log, Clock clock, StoreThreads threads) {
    this.notes = notes;
    this.committer = committer;
    this.log = log;
    this.clock = clock;
    this.notedLsn = committer.order().lastCommit();
    this.thread = threads.newThread("varve-time", this);
  }

  void start() {
    thread.start();
  }

  @Override
  public void run() {
    while (!stopping && log.failure() == null) {
      Threads.park(clock, this, INTERVAL_NANOS);
      note();
    }
  }

  private void note() {
    if (committer.order().lastCommit() == notedLsn) {
      return;
    }
    try {
      notedLsn = notes.time(clock::currentTimeMillis); // if it found no capacity, the next will
    } catch (VarveException _) {
      // A full or failed log refuses commits as well, and reports that to them.
    } catch (RuntimeException | Error e) {
      log.fail(e);
    }
  }

  /// Ends the thread, and notes the time of the last commits.
  void stop() {
    stopping = true;
    LockSupport.unpark(thread);
    Threads.join(thread);
    note();
  }
}
