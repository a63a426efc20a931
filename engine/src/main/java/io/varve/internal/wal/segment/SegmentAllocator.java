package io.varve.internal.wal.segment;

import io.varve.StoreFullException;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.FileLimitException;
import io.varve.internal.disk.Threads;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The thread that keeps segments ready ahead of the log's end, lets old ones go, and asks for a
/// checkpoint when the log grows long.
///
/// A full disk is no failure, nor is a limit of open files: it is noted against the requests made
/// so far, whose commits are then refused, and the next request tries again.
public final class SegmentAllocator {
  /// Log that is made ready by an open. A store that is opened, read and closed needs no more.
  private static final int FIRST_BYTES = 1 << 20;

  private final Segments segments;
  private final RingGrowth ringGrowth;
  private final Tail tail;
  private final Failure failure;
  private final Runnable wakeCapacityWaiters;
  private final Runnable askForCheckpoint;
  private final boolean keeps;
  private final long firstBytes;
  private final long firstLsn;
  private final long aheadBytesMax;
  private final int stepBytesMax;
  private final Thread thread;

  /// Log kept ready past the tail. Doubles whenever a commit finds too little, so that a small
  /// store takes little disk and a busy one never waits. What is used of it is bounded by what was
  /// written since the open: a slow thread makes no small store larger. Guarded by this.
  private long aheadBytes;

  private long wantedLsn; // guarded by this
  private long requests; // guarded by this
  private boolean woken; // guarded by this; set, then unpark
  private boolean stopped; // guarded by this
  private boolean pressureToRun; // guarded by this; a checkpoint is to be asked for
  private boolean pressureRan; // guarded by this; it was asked for and has not ended

  /// The last refusal: requests up to this number met a full disk, or the limit of open files.
  /// Guarded by this.
  private long refusedRequests;

  private @Nullable Throwable refusal; // guarded by this

  public SegmentAllocator(
      Segments segments,
      Tail tail,
      Failure failure,
      Runnable wakeCapacityWaiters,
      LogSettings options,
      LogBuffer memory) {
    this.segments = segments;
    this.ringGrowth = new RingGrowth(memory, tail, options.threads());
    this.tail = tail;
    this.failure = failure;
    this.wakeCapacityWaiters = wakeCapacityWaiters;
    this.askForCheckpoint = options.askForCheckpoint();
    this.keeps = options.keeps();
    this.aheadBytesMax =
        Math.min(
            Math.max(options.segmentBytes(), options.prepareBytes()), options.logBytesMax() / 4);
    this.stepBytesMax = options.prepareBytes();
    this.firstBytes = Math.min(firstStepBytes(options), aheadBytesMax);
    this.firstLsn = tail.lsn();
    this.aheadBytes = firstBytes;
    this.thread = options.threads().newThread("varve-segments", this::run);
  }

  /// The bytes of log that are made ready first.
  public static int firstStepBytes(LogSettings options) {
    return Math.min(FIRST_BYTES, options.prepareBytes());
  }

  public void start() {
    thread.start();
  }

  /// Reports that the tail has advanced by a large amount.
  public void tailMoved(long lsn) {
    if (lsn + aheadBytesSeen > tail.preparedLsn()) {
      wake();
    }
    if (lsn - tail.retainedLsn() > tail.capBytes() / 4 * 3) {
      pressure();
    }
  }

  private volatile long aheadBytesSeen; // what was last kept ready, for tailMoved

  /// Asks for segments up to `lsn`.
  ///
  /// @return the number of the request, for [#refusal]
  public synchronized long request(long lsn) {
    wantedLsn = Math.max(wantedLsn, lsn);
    aheadBytes = Math.min(aheadBytes * 2, aheadBytesMax);
    wake();
    return ++requests;
  }

  /// A number that a later refusal covers, for waiters that ask for nothing but a checkpoint.
  public synchronized long ticket() {
    return ++requests;
  }

  /// Why a request was refused, or null if it was not.
  public synchronized @Nullable StoreFullException refusal(long request) {
    return request > refusedRequests || refusal == null
        ? null
        : new StoreFullException(
            "log cannot grow: preparedLsn="
                + tail.preparedLsn()
                + ", retainedBytes="
                + (tail.lsn() - tail.retainedLsn())
                + advice(),
            refusal);
  }

  private String advice() {
    if (refusal instanceof FileLimitException) {
      return "; close files or raise the limit of open files, then try again";
    }
    return keeps
        ? "; free disk space, or take a backup, which deletes archived log (log/kept), then try"
            + " again"
        : "; free disk space, then try again";
  }

  /// Refuses all commits that wait for capacity now.
  public void refuseAll(Throwable cause) {
    synchronized (this) {
      refusedRequests = requests;
      refusal = cause;
      pressureRan = false;
    }
    wakeCapacityWaiters.run();
  }

  /// Asks for a checkpoint, unless one was asked for and has not ended.
  public void pressure() {
    synchronized (this) {
      if (pressureToRun || pressureRan) {
        return;
      }
      pressureToRun = true;
    }
    wake();
  }

  /// A checkpoint has ended: files may be waiting to be released. It need not have released any
  /// log, since it releases what the one before it had kept: a commit that still lacks capacity
  /// asks again.
  public void released() {
    synchronized (this) {
      pressureRan = false;
    }
    wake();
    wakeCapacityWaiters.run();
  }

  /// Asks for a longer ring: commits fill it faster than it is written.
  public void ringFilled() {
    if (ringGrowth.ask()) {
      wake();
    }
  }

  private synchronized void wake() {
    woken = true;
    LockSupport.unpark(thread);
  }

  /// Nobody commits: the spares are to be deleted.
  public void rest() {
    segments.wantNoSpares();
    wake();
  }

  /// Ends the thread and waits for its end.
  public void stop() {
    synchronized (this) {
      stopped = true;
    }
    wake();
    Threads.join(thread);
  }

  /// Whatever breaks a round off, a lack of memory included, fails the log: no other thread would
  /// make ready what commits wait for.
  private void run() {
    boolean isRunning = true;
    while (isRunning) {
      try {
        prepare();
        isRunning = awaitWork();
        runPressure();
        segments.tidy();
      } catch (IOException | RuntimeException | Error e) {
        failure.fail(e);
      }
    }
  }

  /// @return false to end
  private boolean awaitWork() {
    while (true) {
      synchronized (this) {
        if (stopped) {
          return false;
        }
        if (woken) {
          woken = false;
          return true;
        }
      }
      LockSupport.park(this);
      Thread.interrupted(); // as Threads.park does
    }
  }

  private void runPressure() {
    synchronized (this) {
      if (!pressureToRun) {
        return;
      }
      pressureToRun = false;
      pressureRan = true;
    }
    askForCheckpoint.run();
  }

  /// Doubles the ring, unless a commit waits for log to be made ready: that comes first.
  private void doubleRing() {
    synchronized (this) {
      if (stopped || failure.isFailed() || wantedLsn > segments.preparedLsn()) {
        return;
      }
    }
    if (ringGrowth.run(segments.preparedLsn())) {
      wakeCapacityWaiters.run();
    }
  }

  private void prepare() throws IOException {
    doubleRing();
    makeReady();
    doubleRing(); // if that had to wait
  }

  private void makeReady() throws IOException {
    while (!failure.isFailed()) {
      long requested;
      long stepBytes;
      synchronized (this) {
        requested = requests;
        long lsn = tail.lsn();
        long ahead = Math.min(aheadBytes, Math.max(firstBytes, lsn - firstLsn));
        aheadBytesSeen = ahead;
        stepBytes = Math.min(Math.ceilDiv(ahead, firstBytes) * firstBytes, stepBytesMax);
        if (stopped || segments.preparedLsn() >= Math.max(wantedLsn, lsn + ahead)) {
          return;
        }
      }
      try {
        segments.prepare(stepBytes);
      } catch (DiskFullException | FileLimitException e) {
        if (e instanceof DiskFullException && segments.freeCapacity()) {
          continue; // the segment that is being prepared has its capacity
        }
        boolean asksAgain;
        synchronized (this) {
          if (segments.preparedLsn() >= wantedLsn) {
            return; // enough for the request, only less than would be good
          }
          asksAgain = requested > refusedRequests;
          refusedRequests = requested;
          refusal = e;
        }
        wakeCapacityWaiters.run();
        if (asksAgain) {
          pressure(); // segments that a checkpoint releases are used again
        }
        return;
      }
      tail.preparedTo(segments.preparedLsn());
      wakeCapacityWaiters.run();
    }
  }
}
