package io.varve.internal.wal;

import io.varve.Durability;
import io.varve.StoreClosedException;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.internal.crypto.SessionCipher;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.ClosingSteps;
import io.varve.internal.disk.Insiders;
import io.varve.internal.wal.LogCapacity.Claim;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.LogGeneration;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.group.Completer;
import io.varve.internal.wal.group.GroupCommit;
import io.varve.internal.wal.group.LogStatistics;
import io.varve.internal.wal.group.WaitList;
import io.varve.internal.wal.segment.Failure;
import io.varve.internal.wal.segment.LogBuffer;
import io.varve.internal.wal.segment.LogParts;
import io.varve.internal.wal.segment.LogSettings;
import io.varve.internal.wal.segment.LogWaits;
import io.varve.internal.wal.segment.PublishedPosition;
import io.varve.internal.wal.segment.SegmentAllocator;
import io.varve.internal.wal.segment.Segments;
import io.varve.internal.wal.segment.Tail;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The log of a store, open for appending.
///
/// A commit goes: [#tryReserve] a place, which fixes its order; encode its body and publish it by
/// [#write]; then [#await] what its durability asks for. An *LSN* is a byte position in an endless
/// log; a *commit LSN* is where the commit's record ends, so the commit is durable as soon as the
/// durable LSN has reached it.
///
/// Reserving, publishing, and encoding a body that fits one frame never block and make no system
/// call. So they may be done under a caller's locks. Waiting takes no lock and is not ended by an
/// interrupt, whose flag stays set.
///
/// All methods may be called by any thread.
public final class Log implements CheckpointLog, AutoCloseable {
  /// Returned when a commit cannot be reserved now: see [#awaitCapacity].
  public static final long NO_CAPACITY = Tail.NO_CAPACITY;

  private final LogBuffer memory;
  private final Segments segments;
  private final Tail tail;
  private final Failure failure;
  private final PublishedPosition published;
  private final GroupCommit groupCommit;
  private final SegmentAllocator allocator;
  private final Completer completer;

  private final WaitList capacityWaiters;
  private final LogCapacity capacity;
  private final LogGeneration generation;
  private final FrameSupply supply;

  /// How far the tail moves between looks at the ring's fill and the segments left; a power of two.
  private final long lookBytes;

  private final ReentrantLock closing = new ReentrantLock();
  private boolean closed; // guarded by closing

  /// Whether segments must not be released any more, since they are being closed. Guarded by this.
  private boolean isEnding;

  private Log(
      Clock clock,
      LogSettings options,
      LogGeneration generation,
      LogParts parts,
      @Nullable SessionCipher cipher) {
    this.memory = parts.memory();
    this.segments = parts.segments();
    this.tail = parts.tail();
    this.failure = parts.failure();
    this.published = parts.published();
    this.generation = generation;
    capacityWaiters = new WaitList();
    completer = new Completer(options.threads(), clock, options.mode().completions());
    groupCommit = new GroupCommit(parts, clock, options, completer, capacityWaiters);
    allocator =
        new SegmentAllocator(segments, tail, failure, capacityWaiters::wakeAll, options, memory);
    capacity = new LogCapacity(parts, groupCommit, allocator, capacityWaiters, clock);
    lookBytes =
        Math.min(
            memory.bytes() / 4,
            Integer.highestOneBit(SegmentAllocator.firstStepBytes(options) / 2));
    supply = new FrameSupply(parts, cipher, groupCommit, capacityWaiters, lookBytes);
    failure.onFailure(groupCommit::wakeFailed);
    failure.onFailure(capacityWaiters::wakeAll);
  }

  /// @param retainedLsn the log from there on is kept
  static Log start(
      Clock clock,
      LogSettings options,
      LogGeneration generation,
      LogBuffer memory,
      Segments segments,
      long retainedLsn) {
    return start(clock, options, generation, memory, segments, retainedLsn, new Insiders());
  }

  /// @param owners the threads that own a frame
  static Log start(
      Clock clock,
      LogSettings options,
      LogGeneration generation,
      LogBuffer memory,
      Segments segments,
      long retainedLsn,
      Insiders owners) {
    SessionCipher cipher = options.cipher(generation.session());
    var tail =
        new Tail(
            memory.bytes(),
            FrameHeader.overheadBytes(cipher != null),
            options.logBytesMax(),
            generation.firstLsn(),
            retainedLsn);
    var failure = new Failure(tail::close);
    var published = new PublishedPosition(memory, tail, clock, failure, owners);
    var parts = new LogParts(memory, segments, tail, published, failure);
    var log = new Log(clock, options, generation, parts, cipher);
    try {
      log.releaseEarlier(retainedLsn);
      log.allocator.start();
      log.groupCommit.start();
      return log;
    } catch (Throwable e) { // as where the system has no thread left
      new ClosingSteps(e).take(log::close);
      throw e;
    }
  }

  /// Releases what no checkpoint needs before the allocator adds to it: a process that is killed
  /// right after each open would leave more with every one.
  private void releaseEarlier(long retainedLsn) {
    try {
      segments.release(retainedLsn);
      segments.tidy();
    } catch (IOException e) {
      failure.fail(e);
    }
  }

  /// Reserves place for a commit, without blocking. The order of reservations is the order of
  /// commits. The thread that has reserved must encode and publish the record, or [#fail] the log.
  ///
  /// @param bodyBytes the exact length of the body
  /// @return the LSN where the record starts, or [#NO_CAPACITY]: then release all locks and call
  ///   [#awaitCapacity]
  public long tryReserve(long bodyBytes) {
    return capacity.hasPriorityOfAnother() ? NO_CAPACITY : tryReserveForStore(bodyBytes);
  }

  /// Reserves place as [#tryReserve] does for a commit of the store itself, which no priority of
  /// another keeps waiting (PRIORITY-1).
  public long tryReserveForStore(long bodyBytes) {
    published.beginFrame(); // before there is one: this may find no memory (PUBLICATION-2)
    long from = tail.tryReserve(bodyBytes);
    if (from < 0) {
      published.endFrame();
      return NO_CAPACITY;
    }
    capacity.endPriority();
    long start = tail.startOf(from, bodyBytes);
    if (start != from) {
      pad(from, (int) (start - from));
    }
    long end = tail.endOf(start, bodyBytes);
    if (((from ^ end) & -lookBytes) != 0) {
      tailMoved(end);
    }
    return start;
  }

  private void pad(long from, int length) {
    try {
      memory.publishFill(from, FrameHeader.PAD, length, 0);
    } catch (InternalError e) {
      throw failure.failedBy(e);
    }
  }

  /// Whether [#tryReserve] would find capacity now, as far as nobody else takes it.
  public boolean hasCapacity(long bodyBytes) {
    return mayReserve() && tail.hasCapacity(bodyBytes);
  }

  /// Whether no other commit has priority.
  public boolean mayReserve() {
    return !capacity.hasPriorityOfAnother();
  }

  /// Ends the priority of the calling thread, if it has it (PRIORITY-1).
  public void endPriority() {
    capacity.endPriority();
  }

  private void tailMoved(long lsn) {
    long filled = lsn - tail.releasedLsn();
    int ringBytes = tail.ringBytes();
    if (filled >= ringBytes / 4) {
      groupCommit.requestDrain();
      // A store that wrote much is not small, and short batches cost it more than a longer ring.
      boolean isBusy = lsn - generation.firstLsn() >= 2L * ringBytes;
      if (isBusy || filled >= ringBytes / 2) {
        allocator.ringFilled();
      }
    }
    allocator.tailMoved(lsn);
  }

  /// Where a record ends that was reserved at `startLsn`: its commit LSN.
  public long endOf(long startLsn, long bodyBytes) {
    return tail.endOf(startLsn, bodyBytes);
  }

  /// Takes the body of a commit that was reserved.
  public RecordSink sink(long startLsn, long bodyBytes) {
    boolean cut = tail.isCut(bodyBytes);
    int length = cut ? tail.frameLength(startLsn, bodyBytes) : (int) tail.frameBytes(bodyBytes);
    return new RecordSink(supply, startLsn, bodyBytes, cut, length);
  }

  /// Encodes the body of a commit that was reserved, and publishes its record.
  ///
  /// @throws StoreFailedException if the memory of the log cannot be written
  public void write(long startLsn, long bodyBytes, Consumer<RecordSink> body) {
    try {
      RecordSink sink = sink(startLsn, bodyBytes);
      body.accept(sink);
      sink.publish();
    } catch (InternalError e) {
      throw failure.failedBy(e);
    }
  }

  /// The memory that records are encoded in before they are written.
  public int ringBytes() {
    return tail.ringBytes();
  }

  /// What that memory may grow to.
  public int ringBytesMax() {
    return memory.bytesMax();
  }

  /// What the files of the log may take for a commit beyond [LogSettings#fileBytesMax]: nothing
  /// unless it is larger than half of the cap.
  public long excessFileBytes(long bodyBytes) {
    return tail.excessFileBytes(bodyBytes);
  }

  /// Waits until a commit of this size can probably be reserved. Hold no locks that a log thread or
  /// a checkpoint needs.
  ///
  /// @throws StoreFullException if the disk is full: nothing has happened, and a later call tries
  ///   again
  /// @throws StoreFailedException if the log has failed
  /// @throws StoreClosedException if it is closed
  public void awaitCapacity(long bodyBytes) {
    capacity.await(bodyBytes, Claim.NONE);
  }

  /// Waits as [#awaitCapacity] does, for [#tryReserveForStore].
  public void awaitCapacityForStore(long bodyBytes) {
    capacity.await(bodyBytes, Claim.STORE);
  }

  /// Waits as [#awaitCapacity] does, but no other commit is reserved in that time. Nor is it after,
  /// until the calling thread's is, or has called [#endPriority]. For commits that find no capacity
  /// after such a wait (PRIORITY-1). A wait that ends with an exception has ended its priority.
  public void awaitCapacityWithPriority(long bodyBytes) {
    capacity.await(bodyBytes, Claim.PRIORITY);
  }

  /// How long commits waited for capacity so far.
  public LogWaits waits() {
    return capacity.waits();
  }

  /// Waits until a commit is as durable as asked.
  ///
  /// @throws StoreFailedException if the log failed first; whether the commit is durable is known
  ///   after a reopen
  public void await(long commitLsn, Durability durability) {
    requireAppended(commitLsn);
    published.expectNoOwner();
    switch (durability) {
      case POWER_LOSS -> groupCommit.awaitDurable(commitLsn);
      case PROCESS_CRASH -> {
        published.await(commitLsn);
        failure.check(); // (F1)
      }
      case BACKGROUND, NONE -> failure.check();
    }
  }

  /// Like [#await], as a future. It completes on a thread of the log that does nothing else, or on
  /// `LogMode.completions()`.
  public CompletableFuture<Void> whenDurable(long commitLsn, Durability durability) {
    requireAppended(commitLsn);
    if (durability == Durability.POWER_LOSS) {
      return groupCommit.whenDurable(commitLsn);
    }
    try {
      if (durability == Durability.PROCESS_CRASH && !published.advanceTo(commitLsn)) {
        return CompletableFuture.runAsync(
                () -> await(commitLsn, durability), completer::executeWaiting)
            .whenCompleteAsync((_, _) -> {}, completer::executeAfterWaiting);
      }
    } catch (StoreFailedException e) {
      return CompletableFuture.failedFuture(e);
    }
    Throwable cause = failure.cause(); // (F1)
    return cause == null
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.failedFuture(failure.exception(cause));
  }

  /// An LSN that the log has not reached would be waited for without end.
  private void requireAppended(long lsn) {
    long end = tail.lsn();
    if (lsn > end) {
      throw new IllegalArgumentException("no such commit: lsn=" + lsn + ", tailLsn=" + end);
    }
  }

  @Override
  public LogPosition position() {
    long lsn = tail.lsn();
    return lsn == generation.firstLsn()
        ? generation.previous()
        : new LogPosition(lsn, generation.number(), false);
  }

  /// The end of the log.
  public long tailLsn() {
    return tail.lsn();
  }

  /// The log below is durable.
  public long durableLsn() {
    return groupCommit.durableLsn();
  }

  /// Returns if all that was appended is durable, or may still become so.
  ///
  /// @throws StoreFailedException if the log has failed before
  public void requireDurable() {
    Throwable cause = failure.cause();
    if (cause != null && durableLsn() < tail.lsn()) {
      throw failure.exception(cause);
    }
  }

  /// The most log that is kept between checkpoints.
  @Override
  public long bytesMax() {
    return tail.capBytes();
  }

  @Override
  public long retainedBytes() {
    return tail.lsn() - tail.retainedLsn();
  }

  @Override
  public long waiters() {
    return statistics().waiters();
  }

  @Override
  public void force() {
    groupCommit.awaitDurable(tail.lsn());
  }

  /// Deletes the files that wait for their next use: nobody commits.
  public synchronized void releaseSpares() {
    if (!isEnding) {
      allocator.rest();
    }
  }

  /// Releases the log below `lsn`: no checkpoint that may still be opened needs it. Call it at the
  /// end of every checkpoint, even if that releases nothing: a thread that waits for capacity asks
  /// for another checkpoint then.
  @Override
  public synchronized void releaseBefore(long lsn) {
    long released = Math.min(lsn, Math.max(groupCommit.durableLsn(), generation.firstLsn()));
    if (isEnding) {
      return;
    }
    if (released > tail.retainedLsn()) {
      tail.retainedFrom(released);
      segments.release(released);
    }
    allocator.released();
  }

  /// Refuses the commits that wait for a checkpoint to free capacity, since none can be written
  /// now.
  public void refuseCapacity(Throwable cause) {
    allocator.refuseAll(cause);
  }

  @Override
  public void fail(Throwable cause) {
    failure.fail(cause);
  }

  @Override
  public @Nullable Throwable failure() {
    return failure.cause();
  }

  /// Figures since the log was opened.
  public LogStatistics statistics() {
    return groupCommit.statistics(generation.firstLsn());
  }

  /// Makes all that was appended durable, and ends the log's threads. The log stays on disk.
  /// Commits that were reserved are waited for; none can be reserved any more.
  @Override
  public void close() {
    close(false);
  }

  /// Closes, and deletes the log: for a clean close, after a final checkpoint that names
  /// `position().atCleanClose()` is durable.
  public void closeAndDiscard() {
    close(true);
  }

  private void close(boolean discard) {
    closing.lock();
    try {
      if (!closed) {
        closed = true;
        end(discard);
      }
    } finally {
      closing.unlock();
    }
  }

  /// Ends each part, whatever an earlier one throws. A failure that this meets concerns commits
  /// that were acknowledged before they were durable. It is thrown, with those of parts after it.
  private void end(boolean discard) {
    boolean hadFailed = failure.isFailed();
    // Not held while threads are waited for, which may be about to come to it.
    synchronized (this) {
      isEnding = true;
    }
    var steps = new ClosingSteps();
    steps.take(tail::close);
    steps.take(capacityWaiters::wakeAll);
    steps.take(this::finish);
    steps.take(groupCommit::stop);
    steps.take(allocator::stop);
    steps.take(completer::close);
    steps.take(() -> closeSegments(discard && !failure.isFailed()));
    Throwable cause = failure.cause();
    if (cause != null && !hadFailed) {
      StoreFailedException thrown = failure.exception(cause);
      new ClosingSteps(thrown).take(steps::throwFailure);
      throw thrown;
    }
    Throwable failed = steps.failure();
    if (failed instanceof Error e) {
      throw e;
    }
    if (failed != null) {
      throw new StoreIoException(
          cause == null
              ? "log files cannot be closed; what was committed is durable, see the cause"
              : "log files cannot be closed, of a log that had failed before: failure="
                  + cause
                  + "; see the cause, and open the store again, which shows what is durable",
          failed);
    }
  }

  /// Makes all durable that was appended. What prevents that fails the log, which ends all waits.
  private void finish() {
    try {
      published.await(tail.lsn());
      groupCommit.awaitDurable(tail.lsn());
    } catch (RuntimeException | Error e) {
      failure.fail(e);
    }
  }

  private void closeSegments(boolean discard) throws IOException {
    if (discard) {
      segments.discard(tail.lsn());
    } else {
      segments.close();
    }
  }
}
