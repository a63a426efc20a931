package io.varve.internal.wal.group;

import io.varve.internal.disk.Backoff;
import io.varve.internal.disk.Clock;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.segment.Failure;
import io.varve.internal.wal.segment.LogBuffer;
import io.varve.internal.wal.segment.LogParts;
import io.varve.internal.wal.segment.PublishedPosition;
import io.varve.internal.wal.segment.Tail;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The batches of the log that are not durable yet, in order: the last one is open and takes new
/// records, those before it are sealed and being written.
///
/// - (C1) Batches are sealed one at a time, under the seal lock, and cover the log without gaps.
/// - (C2) A batch is released when it and all before it are written and zeroed. Then a ring may
///   take new frames in its memory.
/// - (C3) `durableLsn` grows only, to the end of a batch. That batch and all before it are forced,
///   by their own synchronous write or by a later force of the files. It never grows after a
///   failure.
///
/// Neither lock is held across a system call other than the waking of threads.
final class BatchChain {
  private final LogBuffer memory;
  private final Tail tail;
  private final PublishedPosition published;
  private final Clock clock;
  private final Failure failure;
  private final WaitList capacityWaiters;
  private final Consumer<Waiter> completeFutures;

  private final AtomicBoolean sealLock = new AtomicBoolean();
  private final AtomicBoolean advanceLock = new AtomicBoolean();

  /// Set before trying the advance lock; cleared by its holder before it looks.
  private volatile boolean advanceWanted;

  /// Every byte below is durable (C3). Written under the advance lock.
  private volatile long durableLsn;

  /// The batch that takes new records. Written under the seal lock.
  private volatile Batch open;

  /// The first batch that is not durable. Written under the advance lock.
  private volatile Batch firstIncomplete;

  /// The first batch that is not written. Guarded by the advance lock.
  private Batch firstUnwritten;

  /// Somebody waits for the log to be durable up to here, and all of that is written. Written under
  /// the advance lock.
  private volatile long forceWantedLsn;

  /// Written under the advance lock.
  private volatile long waits;

  /// Files are forced up to here. Written by the thread that forces, one at a time.
  private volatile long forcedLsn;

  /// @param completeFutures takes a stack of futures whose wait is over, and throws nothing
  BatchChain(
      LogParts log, Clock clock, WaitList capacityWaiters, Consumer<Waiter> completeFutures) {
    this.memory = log.memory();
    this.tail = log.tail();
    this.published = log.published();
    this.clock = clock;
    this.failure = log.failure();
    this.capacityWaiters = capacityWaiters;
    this.completeFutures = completeFutures;
    long firstLsn = tail.lsn();
    durableLsn = firstLsn;
    forcedLsn = firstLsn;
    forceWantedLsn = firstLsn;
    open = new Batch(firstLsn);
    firstIncomplete = open;
    firstUnwritten = open;
  }

  long durableLsn() {
    return durableLsn;
  }

  Batch open() {
    return open;
  }

  /// Commits that waited for a force and were answered.
  long waits() {
    return waits;
  }

  /// Whether somebody waits for a force of files alone, since all is written.
  boolean forceIsWanted() {
    return forceWantedLsn > durableLsn;
  }

  /// The files are forced up to `lsn`.
  void forcedTo(long lsn) {
    forcedLsn = Math.max(forcedLsn, lsn);
  }

  /// The batch that holds the byte before `lsn`; null if it is durable.
  @Nullable Batch locate(long lsn) {
    while (durableLsn < lsn) {
      Batch batch = firstIncomplete;
      while (batch.endLsn < lsn) {
        Batch next = batch.next;
        if (next == null || next == batch) {
          break; // completed concurrently: start over
        }
        batch = next;
      }
      // Not one that begins after it: all before that one became durable since the look above.
      if (batch.startLsn < lsn && batch.endLsn >= lsn) {
        return batch;
      }
    }
    return null;
  }

  /// Closes a batch where the log ends now, and opens the next (C1). Null if it is empty, or closed
  /// already.
  @Nullable Batch seal(Batch batch) {
    Backoff.acquire(clock, sealLock);
    try {
      if (failure.isFailed() || batch != open) {
        return null;
      }
      long start = batch.startLsn;
      long termEnd = (start | (memory.bytes() - 1)) + 1;
      while (true) {
        long at = tail.lsn();
        if (at == start) {
          return null;
        }
        if (at - start > memory.bytes() / 2) {
          // A commit that is cut may be filling: take what is there, or it waits for its own end.
          published.advanceTo(at);
          long publishedLsn = published.lsn();
          if (publishedLsn > start && publishedLsn < at && publishedLsn % FrameHeader.BLOCK == 0) {
            return seal(batch, Math.min(publishedLsn, termEnd), true);
          }
        }
        if (at >= termEnd) {
          return seal(batch, termEnd, at > termEnd);
        }
        long end = FrameHeader.blockCeil(at + FrameHeader.FILL);
        if (tail.moveForMark(at, end)) {
          batch.markLsn = at;
          return seal(batch, end, false);
        }
      }
    } finally {
      sealLock.set(false);
    }
  }

  /// @param partial whether commits may wait on this batch that end after it
  private Batch seal(Batch batch, long end, boolean partial) {
    var next = new Batch(end);
    batch.next = next;
    batch.endLsn = end;
    if (partial && batch.forceRequested) {
      next.forceRequested = true;
      next.flushNow = true;
    }
    open = next;
    return batch;
  }

  /// Moves the released and the durable LSN on as far as batches are written and forced, and wakes
  /// the threads that waited for that.
  void advance() {
    advanceWanted = true;
    // The thread that holds the lock looks at the flag again after giving it back.
    while (advanceWanted && advanceLock.compareAndSet(false, true)) {
      Waiter futures;
      try {
        advanceWanted = false;
        futures = advanceLocked();
      } finally {
        advanceLock.set(false);
      }
      if (futures != null) {
        completeFutures.accept(futures);
      }
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the advance lock
  private @Nullable Waiter advanceLocked() {
    if (failure.isFailed()) {
      return null;
    }
    Batch unwritten = firstUnwritten;
    while (unwritten.state != Batch.OPEN) {
      unwritten = next(unwritten);
    }
    if (unwritten != firstUnwritten) {
      firstUnwritten = unwritten;
      tail.releasedTo(unwritten.startLsn);
      capacityWaiters.wakeAll();
    }
    Batch first = firstIncomplete;
    Batch incomplete = first;
    long forced = forcedLsn;
    while (incomplete != unwritten
        && (incomplete.state == Batch.FORCED || incomplete.endLsn <= forced)) {
      incomplete = next(incomplete);
    }
    for (Batch written = incomplete; written != unwritten; written = next(written)) {
      if (written.forceRequested) {
        forceWantedLsn = Math.max(forceWantedLsn, written.endLsn);
      }
    }
    if (unwritten.startLsn - incomplete.startLsn > memory.bytesMax()) {
      // Bounds what a strong commit may find to be forced first.
      forceWantedLsn = unwritten.startLsn;
    }
    if (incomplete == first) {
      return null;
    }
    durableLsn = incomplete.startLsn;
    firstIncomplete = incomplete;
    Waiter futures = null;
    for (Batch done = first; done != incomplete; ) {
      Batch after = next(done);
      Waiter stack = done.closeWaiters();
      if (stack != null) {
        int depth = stack.stackDepth;
        futures = join(Waiter.wakeAll(stack), futures);
        waits += depth;
      }
      done.next = done; // do not chain old garbage to new
      done = after;
    }
    return futures;
  }

  private static Batch next(Batch sealed) {
    Batch next = sealed.next;
    if (next == null) {
      throw new IllegalStateException("batch has no successor: start=" + sealed.startLsn);
    }
    return next;
  }

  private static @Nullable Waiter join(@Nullable Waiter first, @Nullable Waiter second) {
    if (first == null) {
      return second;
    }
    Waiter.last(first).next = second;
    return first;
  }

  /// Wakes everybody; called once the failure is visible. No batch is sealed any more.
  void wakeFailed() {
    Backoff.acquire(clock, sealLock);
    try {
      Waiter futures = null;
      Batch batch = firstIncomplete;
      while (true) {
        futures = join(Waiter.wakeAll(batch.closeWaiters()), futures);
        if (batch == open) {
          break;
        }
        Batch next = next(batch);
        batch = next == batch ? firstIncomplete : next;
      }
      if (futures != null) {
        completeFutures.accept(futures);
      }
    } finally {
      sealLock.set(false);
    }
  }
}
