package io.varve.internal.wal.group;

import static java.lang.invoke.MethodHandles.lookup;

import io.varve.CommitGrouping;
import io.varve.internal.disk.Backoff;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Threads;
import io.varve.internal.event.Events;
import io.varve.internal.event.ForceEvent;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.segment.Failure;
import io.varve.internal.wal.segment.LogBuffer;
import io.varve.internal.wal.segment.LogParts;
import io.varve.internal.wal.segment.LogSettings;
import io.varve.internal.wal.segment.PublishedPosition;
import io.varve.internal.wal.segment.Segments;
import io.varve.internal.wal.segment.Tail;
import java.io.IOException;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// Writes the log in batches and lets commits wait for them.
///
/// A *server* is a thread that seals the open batch, writes it, and wakes each thread that waits
/// for it. It is one of the log's own flushers, or a platform thread that commits. A
/// [GroupCommitPolicy] decides which thread serves, and when. Several batches may be under way
/// concurrently; they complete in order.
///
/// - (G1) A batch is written after every frame of it is published, by the thread that sealed it. In
///   a ring it is zeroed after it is written. Only then is it reported as written or forced.
/// - (G2) A thread that wants a batch written first makes that visible (`forceRequested`,
///   `drainWanted`) and then looks whether a server is active. A server that ends first makes its
///   end visible and then looks for wanted batches. So none is left unwritten.
public final class GroupCommit {
  private final LogBuffer memory;
  private final Segments segments;
  private final Tail tail;
  private final Clock clock;

  /// The clock of the flush interval, which no commit waits for.
  private final Clock timerClock;

  private final LogSettings options;
  private final Failure failure;
  private final FutureHandover handover;
  private final PublishedPosition published;
  private final BatchChain chain;
  private final GroupCommitPolicy policy;
  private final WaitStrategy waitStrategy;

  /// Held by a commit while it forces the log by itself, if each does. Taken before all others.
  private final ReentrantLock turn = new ReentrantLock(/* fair= */ true);

  /// Held by the thread that forces files, across the system call; only ever tried.
  private final AtomicBoolean forceLock = new AtomicBoolean();

  /// Threads that serve now.
  private final AtomicInteger servers = new AtomicInteger();

  private final Flusher[] flushers;
  private volatile boolean drainWanted;
  private volatile boolean stopped;

  private volatile boolean timerArmed;
  private volatile long timerDeadlineNanos;

  private final ForceTimes forces = new ForceTimes();
  private final LongAdder batches = new LongAdder();

  public GroupCommit(
      LogParts log,
      Clock clock,
      LogSettings options,
      Completer completer,
      WaitList capacityWaiters) {
    this.memory = log.memory();
    this.segments = log.segments();
    this.tail = log.tail();
    this.timerClock = clock;
    this.clock = clock.ofCallers();
    this.options = options;
    this.failure = log.failure();
    this.handover =
        new FutureHandover(completer, this::register, () -> LockSupport.unpark(timeKeeper()));
    this.published = log.published();
    this.chain = new BatchChain(log, this.clock, capacityWaiters, handover::complete);
    this.policy = policy(options, this.clock);
    this.waitStrategy = new WaitStrategy(options.mode().waiting(), this.clock, options.threads());
    flushers = new Flusher[policy.flusherCount()];
    for (int i = 0; i < flushers.length; i++) {
      flushers[i] = new Flusher(i);
    }
  }

  private static GroupCommitPolicy policy(LogSettings options, Clock clock) {
    return switch (options.mode().grouping()) {
      case CommitGrouping.Adaptive() -> new AdaptiveGroupCommit(options.flusherCount(), clock);
      case CommitGrouping.Each() -> new SeparateCommit();
      case CommitGrouping.Cooperative(int limit, var delay) ->
          new CooperativeCommit(limit, delay.toNanos());
      case CommitGrouping.Flusher(int threads) -> new FlusherCommit(threads);
    };
  }

  public void start() {
    for (Flusher flusher : flushers) {
      flusher.thread.start();
    }
  }

  public long durableLsn() {
    return chain.durableLsn();
  }

  /// Waits until the log is durable up to `lsn`. An interrupt does not end the wait.
  public void awaitDurable(long lsn) {
    if (!policy.isSeparate()) {
      awaitBatch(lsn);
      return;
    }
    turn.lock();
    try {
      if (chain.locate(lsn) == null) {
        forceAgain(lsn);
      }
      awaitBatch(lsn);
    } finally {
      turn.unlock();
    }
  }

  private void awaitBatch(long lsn) {
    boolean interrupted = false;
    try {
      Batch batch;
      while ((batch = chain.locate(lsn)) != null) {
        failure.check();
        wantForce(batch);
        Waiter waiter = Waiter.ofThread();
        if (batch.push(waiter)) {
          interrupted |= await(waiter, batch);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Waits for a batch that has taken the waiter.
  ///
  /// @return whether an interrupt arrived during the wait; its flag is cleared then
  private boolean await(Waiter waiter, Batch batch) {
    if (tryFlush(batch, waiter.stackDepth)) {
      return waiter.await(this);
    }
    long patience = policy.patienceNanos(options.threads().callerMayServe());
    if (patience == Long.MAX_VALUE) {
      batch.needsFlusher = true;
      startServer(batch);
      waitStrategy.before(waiter, forces.recentNanos(), () -> false);
      return waiter.await(this);
    }
    startServer(batch);
    long deadline = clock.nanoTime() + patience;
    waitStrategy.before(waiter, forces.recentNanos(), () -> pollFlush(batch, deadline));
    boolean interrupted = false;
    if (!batch.isSealed()) {
      interrupted = waiter.parkUntil(clock, deadline);
      if (!waiter.isWoken()) {
        requestFlush(batch);
      }
    }
    return waiter.await(this) || interrupted;
  }

  /// Looks after a batch that the thread waits for: serves it when it is time.
  ///
  /// @return whether it served it, or has waited for long enough
  private boolean pollFlush(Batch batch, long deadlineNanos) {
    return !batch.isSealed()
        && (tryFlush(batch, batch.waiterCount()) || clock.nanoTime() - deadlineNanos >= 0);
  }

  /// Has a batch written for which a commit has waited for long enough.
  private void requestFlush(Batch batch) {
    batch.needsFlusher = true;
    if (!tryFlush(batch, Integer.MAX_VALUE)) {
      startServer(batch);
    }
  }

  /// A future that completes when the log is durable up to `lsn`, on the thread that the
  /// [Completer] selects.
  public CompletableFuture<Void> whenDurable(long lsn) {
    var future = new CompletableFuture<Void>();
    register(future, lsn);
    return future;
  }

  private void register(CompletableFuture<Void> future, long lsn) {
    while (true) {
      Batch batch = chain.locate(lsn);
      if (batch == null) {
        future.complete(null);
        return;
      }
      Throwable cause = failure.cause();
      if (cause != null) {
        future.completeExceptionally(failure.exception(cause));
        return;
      }
      wantForce(batch);
      batch.flushNow = true;
      if (batch.push(Waiter.ofFuture(future, lsn))) {
        startServer(batch);
        return;
      }
    }
  }

  private void wantForce(Batch batch) {
    if (!batch.forceRequested) {
      batch.forceRequested = true;
      if (batch.state != Batch.OPEN) {
        // Written before anybody wanted it forced (B2).
        chain.advance();
        startServerFor(chain.forceIsWanted());
      }
    }
  }

  /// Lets the calling thread, which waits for `batch`, serve it itself if that is better than to
  /// wait.
  ///
  /// @param gathered commits that wait for the batch, the thread's own included
  /// @return whether it served a batch
  private boolean tryFlush(Batch batch, int gathered) {
    if (batch.isSealed() || !options.threads().callerMayServe()) {
      return false;
    }
    int others;
    do {
      others = servers.get();
      if (!policy.callerWrites(others, gathered)) {
        return false;
      }
    } while (!servers.compareAndSet(others, others + 1));
    boolean served = false;
    try {
      served = serve(batch);
      if (chain.forceIsWanted()) {
        force();
      }
    } finally {
      servers.decrementAndGet();
      startServer(chain.open());
    }
    return served;
  }

  private void startServer(Batch batch) {
    startServerFor(isWanted(batch, servers.get()));
  }

  private void startServerFor(boolean wanted) {
    if (wanted) {
      for (Flusher flusher : flushers) {
        if (flusher.wake()) {
          return;
        }
      }
    }
  }

  /// Whether a batch should be served although `others` serve already.
  private boolean isWanted(Batch batch, int others) {
    return batch.forceRequested
        && !batch.isSealed()
        && tail.lsn() > batch.startLsn
        && policy.flusherWrites(others, batch);
  }

  /// Asks for all that was appended to be written, though nobody waits for it to be durable.
  public void requestDrain() {
    if (!drainWanted) {
      drainWanted = true;
    }
    startServerFor(true);
  }

  /// Seals a batch and writes it.
  ///
  /// @return whether it was open, and there was anything to write
  private boolean serve(Batch open) {
    try {
      Batch batch = chain.seal(open);
      if (batch == null) {
        return false;
      }
      write(batch);
      return true;
    } catch (Throwable e) {
      // Whatever stops a server, even a lack of memory, may leave a batch that nobody writes.
      failure.fail(e);
      return false;
    }
  }

  private void write(Batch batch) throws IOException {
    if (batch.markLsn >= 0) {
      writeMark(batch);
    }
    published.await(batch.endLsn);
    boolean forced = batch.forceRequested;
    if (forced) {
      writeForced(batch);
    } else {
      memory.write(batch.startLsn, batch.endLsn, false);
    }
    batches.increment();
    memory.release(batch.startLsn, batch.endLsn);
    batch.state = forced ? Batch.FORCED : Batch.WRITTEN;
    chain.advance();
  }

  private void writeForced(Batch batch) throws IOException {
    int commits = Math.max(1, batch.waiterCount());
    long before = clock.nanoTime();
    long nanos;
    ForceEvent event = Events.force();
    policy.begin(commits);
    try {
      memory.write(batch.startLsn, batch.endLsn, true);
    } finally {
      nanos = clock.nanoTime() - before;
      policy.end(commits, batch.waiterCount(), chain.open().waiterCount(), nanos);
    }
    forces.add(nanos, event, batch.startLsn, batch.endLsn, batch.waiterCount());
  }

  private void writeMark(Batch batch) {
    // Capacity for the mark is sure, but after a commit that is cut only when the batches before
    // are written, which other servers are about.
    if (!hasPlaceForMark(batch)) {
      Backoff.until(
          clock,
          () -> {
            failure.check();
            return hasPlaceForMark(batch);
          });
    }
    int length = (int) (batch.endLsn - batch.markLsn);
    memory.publishFill(batch.markLsn, FrameHeader.MARK, length, chain.durableLsn());
  }

  private boolean hasPlaceForMark(Batch batch) {
    return batch.endLsn <= tail.ringEndLsn();
  }

  /// Forces the files, for batches that were written without.
  private void force() {
    while (chain.forceIsWanted() && !failure.isFailed()) {
      if (!forceLock.compareAndSet(false, true)) {
        return; // the thread that holds it looks again after giving it back
      }
      try {
        long written = tail.releasedLsn();
        long durable = chain.durableLsn();
        long before = clock.nanoTime();
        ForceEvent event = Events.force();
        memory.force(durable, written);
        forces.add(clock.nanoTime() - before, event, durable, written, 0);
        chain.forcedTo(written);
      } catch (Throwable e) {
        failure.fail(e);
      } finally {
        forceLock.set(false);
      }
      chain.advance();
    }
  }

  /// Forces what is durable already, for a commit that is to do so itself.
  private void forceAgain(long lsn) {
    if (failure.isFailed()) {
      return;
    }
    try {
      long before = clock.nanoTime();
      ForceEvent event = Events.force();
      segments.force(lsn - 1, lsn);
      forces.add(clock.nanoTime() - before, event, lsn - 1, lsn, 1);
    } catch (Throwable e) {
      failure.fail(e);
    }
  }

  /// The thread that keeps the time.
  private Thread timeKeeper() {
    return flushers[0].thread;
  }

  /// Sees to it that what is appended now is forced within the flush interval.
  public void armTimer() {
    if (!timerArmed) {
      setTimer();
    }
  }

  private synchronized void setTimer() {
    if (!timerArmed) {
      timerDeadlineNanos = timerClock.nanoTime() + options.flushIntervalNanos();
      timerArmed = true;
      LockSupport.unpark(timeKeeper());
    }
  }

  private void runTimer() {
    timerArmed = false;
    Batch batch = chain.locate(tail.lsn());
    if (batch != null) {
      batch.flushNow = true;
      wantForce(batch);
    }
  }

  /// Wakes everybody; called once the failure is visible.
  public void wakeFailed() {
    chain.wakeFailed();
  }

  /// Ends the flushers and waits for their end. All that matters was forced before.
  public void stop() {
    stopped = true;
    for (Flusher flusher : flushers) {
      LockSupport.unpark(flusher.thread);
      Threads.join(flusher.thread);
    }
    handover.end();
  }

  public LogStatistics statistics(long firstLsn) {
    return new LogStatistics(
        published.records(),
        published.recordBytes(),
        tail.lsn() - firstLsn,
        batches.sum(),
        forces.count(),
        chain.waits(),
        forces.histogram(),
        tail.lsn() - tail.retainedLsn(),
        tail.lsn(),
        chain.durableLsn());
  }

  /// A thread of the log that serves when wanted.
  private final class Flusher implements Runnable {
    /// The longest rest that counts in full, so that one long rest does not hide what follows it.
    private static final long REST_NANOS_MAX = 2 * WaitStrategy.ADAPTIVE_FORCE_NANOS_MAX;

    private static final int SERVING = 0;
    private static final int PARKED = 1;
    private static final int CLAIMED = 2;

    private static final VarHandle STATE =
        ConstantBootstraps.fieldVarHandle(
            lookup(), "state", VarHandle.class, Flusher.class, int.class);

    final Thread thread;
    private final boolean keepsTime;

    /// `PARKED` is set by this thread before it parks. The thread that wakes it claims it
    /// (compare-and-set), counts it as a server, and only then sets `SERVING`: a flusher that ran
    /// before it was counted would take itself for one server less than none, leave the batch to
    /// others, and rest again. Volatile.
    private volatile int state;

    /// Made before memory may be short.
    private final BooleanSupplier resting = this::isResting;

    /// About how long it rests until it is woken, and so whether not to park is worth it.
    private long recentRestNanos = REST_NANOS_MAX;

    Flusher(int number) {
      this.keepsTime = number == 0;
      this.thread = options.threads().newThread("varve-log-" + number, this);
    }

    /// Makes this flusher a server if it is none.
    boolean wake() {
      if (claim()) {
        LockSupport.unpark(thread);
        return true;
      }
      return false;
    }

    private boolean claim() {
      if (state == PARKED && STATE.compareAndSet(this, PARKED, CLAIMED)) {
        servers.incrementAndGet();
        state = SERVING;
        return true;
      }
      return false;
    }

    @Override
    public void run() {
      servers.incrementAndGet();
      while (!stopped) {
        try {
          if (!serve()) {
            rest();
          }
        } catch (RuntimeException | Error e) {
          failure.fail(e); // or else batches would wait for a server that is counted and gone
        }
      }
    }

    private boolean serve() {
      if (keepsTime && timerArmed && timerClock.nanoTime() - timerDeadlineNanos >= 0) {
        runTimer();
      }
      if (chain.forceIsWanted() && !forceLock.get() && !failure.isFailed()) {
        force();
        return true;
      }
      if (drainWanted) {
        drainWanted = false;
        return GroupCommit.this.serve(chain.open());
      }
      Batch open = chain.open();
      if (!isWanted(open, servers.get() - 1)) {
        return false;
      }
      waitStrategy.hold(forces.recentNanos(), () -> holdNanos(open));
      return GroupCommit.this.serve(open) || open.isSealed(); // look again at what follows it
    }

    /// For how long it still does better to leave the batch open.
    private long holdNanos(Batch open) {
      boolean isOver = open.isSealed() || drainWanted || stopped || failure.isFailed();
      return isOver ? 0 : policy.holdNanos(open);
    }

    private void rest() {
      state = PARKED;
      servers.decrementAndGet();
      if (isWorkLeft() && claim()) {
        return;
      }
      long start = clock.nanoTime();
      waitStrategy.rest(forces.recentNanos(), recentRestNanos, resting);
      park();
      long rested = Math.min(clock.nanoTime() - start, REST_NANOS_MAX);
      recentRestNanos += (rested - recentRestNanos) / 8;
    }

    private boolean isResting() {
      return state != SERVING && !stopped;
    }

    private void park() {
      while (isResting()) {
        if (keepsTime && handover.hasKept()) {
          Threads.park(clock, this, FutureHandover.RETRY_NANOS);
          handover.tryAgain();
        } else if (keepsTime && timerArmed) {
          long left = timerDeadlineNanos - timerClock.nanoTime();
          if (left <= 0 && claim()) {
            return;
          }
          Threads.park(timerClock, this, Math.max(left, 1));
        } else {
          LockSupport.park(this);
          Thread.interrupted(); // as Threads.park does
        }
      }
    }

    private boolean isWorkLeft() {
      return !failure.isFailed()
          && (drainWanted
              || (chain.forceIsWanted() && !forceLock.get())
              || isWanted(chain.open(), servers.get()));
    }
  }
}
