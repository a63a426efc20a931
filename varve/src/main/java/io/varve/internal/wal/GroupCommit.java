package io.varve.internal.wal;

import static java.lang.invoke.MethodHandles.lookup;

import io.varve.internal.disk.Clock;
import java.io.IOException;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Writes the log in batches and lets commits wait for them.
///
/// A *server* is a thread that seals the open batch, writes it, and wakes who waits for it: one of
/// the log's own flushers, or a platform thread that commits while too few others serve, which
/// saves it two switches of threads. Servers need no timer: they write what has gathered as soon as
/// they can. Several batches may be under way at once; they complete in order.
///
/// - (G1) Batches are sealed one at a time, under the seal lock, and cover the log without gaps.
/// - (G2) A batch is written after every frame of it is published, zeroed in the ring after it is
///   written, and released when all before it are, too.
/// - (G3) `durableLsn` grows only, to the end of a batch such that it and all before it are forced,
///   by their own synchronous write or by a later force of the files. It never grows after a
///   failure.
/// - (G4) Who wants a batch written first makes that visible (`strong`, `drainWanted`) and then
///   looks whether a server is active; a server that ends first says so and then looks for wanted
///   batches. So none is left behind.
final class GroupCommit {
  private static final VarHandle PUBLISHED =
      ConstantBootstraps.fieldVarHandle(
          lookup(), "publishedLsn", VarHandle.class, GroupCommit.class, long.class);

  private static final int SPINS = 100;
  private static final int YIELDS = 400;
  private static final long PAUSE_NANOS = 50_000;

  private final Ring ring;
  private final Segments segments;
  private final Tail tail;
  private final Clock clock;
  private final LogOptions options;
  private final Failure failure;
  private final Completer completer;
  private final WaitList roomWaiters;
  private final Pace pace;

  /// Every frame below is published. Grows only; by anyone, by compare-and-set.
  private volatile long publishedLsn;

  /// Every byte below is durable (G3). Written under the advance lock.
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

  /// Files are forced up to here. Written under the force lock.
  private volatile long forcedLsn;

  private final AtomicBoolean sealLock = new AtomicBoolean();
  private final AtomicBoolean advanceLock = new AtomicBoolean();
  private volatile boolean advanceWanted;
  private final AtomicBoolean forceLock = new AtomicBoolean();

  /// Threads that serve now.
  private final AtomicInteger servers = new AtomicInteger();

  private final Flusher[] flushers;
  private volatile boolean drainWanted;
  private volatile boolean stopped;

  private volatile boolean timerArmed;
  private volatile long timerDeadlineNanos;

  private final LongAdder records = new LongAdder();
  private final LongAdder recordBytes = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder forces = new LongAdder();
  private final LongAdder waits = new LongAdder();
  private final AtomicLongArray forceNanos = new AtomicLongArray(Long.SIZE);

  GroupCommit(
      Ring ring,
      Segments segments,
      Tail tail,
      Clock clock,
      LogOptions options,
      Failure failure,
      Completer completer,
      WaitList roomWaiters) {
    this.ring = ring;
    this.segments = segments;
    this.tail = tail;
    this.clock = clock;
    this.options = options;
    this.failure = failure;
    this.completer = completer;
    this.roomWaiters = roomWaiters;
    this.pace = new Pace(options.flusherCount());
    long firstLsn = tail.lsn();
    publishedLsn = firstLsn;
    durableLsn = firstLsn;
    forcedLsn = firstLsn;
    forceWantedLsn = firstLsn;
    open = new Batch(firstLsn);
    firstIncomplete = open;
    firstUnwritten = open;
    flushers = new Flusher[options.flusherCount()];
    for (int i = 0; i < flushers.length; i++) {
      flushers[i] = new Flusher(i == 0);
    }
  }

  void start() {
    for (Flusher flusher : flushers) {
      flusher.thread.start();
    }
  }

  long durableLsn() {
    return durableLsn;
  }

  // ---- publication

  /// Whether every frame below `lsn` is published.
  boolean isPublished(long lsn) {
    return advancePublished(lsn);
  }

  /// Waits until every frame below `lsn` is published, so with the operating system.
  void awaitPublished(long lsn) {
    int tries = 0;
    while (!advancePublished(lsn)) {
      failure.check();
      pause(tries++);
    }
  }

  /// Moves the published LSN on over frames that are published.
  ///
  /// The ring may move on under the walk; then what it read means nothing, but the published LSN
  /// has moved as well, since only what is published is ever released, and the compare-and-set
  /// fails. The walk must not go round the ring either: behind what is released by one ring's
  /// length, it would take frames of the last lap for new ones.
  private boolean advancePublished(long target) {
    while (true) {
      long from = publishedLsn;
      long at = from;
      long reach = Math.min(target, tail.releasedLsn() + ring.bytes());
      int commits = 0;
      long commitBytes = 0;
      while (at < reach) {
        int length = ring.lengthAt(at);
        if (length < FrameHeader.BODY) {
          break;
        }
        byte type = ring.typeAt(at);
        commits += type == FrameHeader.COMMIT || type == FrameHeader.LAST ? 1 : 0;
        commitBytes += type == FrameHeader.MARK || type == FrameHeader.PAD ? 0 : length;
        at = FrameHeader.next(at, length, ring.bytes());
      }
      if (at == from) {
        if (from >= target) {
          return true;
        }
        if (publishedLsn == from) {
          return false;
        }
      } else if (PUBLISHED.compareAndSet(this, from, at) && commitBytes > 0) {
        records.add(commits);
        recordBytes.add(commitBytes);
      }
    }
  }

  /// A committer between reserving and publishing copies memory only, so it is soon done unless the
  /// system took its core away.
  @SuppressWarnings("ThreadPriorityCheck") // what is waited for needs the core that this gives up
  private static void pause(int tries) {
    if (tries < SPINS) {
      Thread.onSpinWait();
    } else if (tries < YIELDS || Thread.currentThread().isInterrupted()) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  // ---- waiting

  /// Waits until the log is durable up to `lsn`. An interrupt does not end the wait.
  void awaitDurable(long lsn) {
    boolean interrupted = false;
    try {
      Batch batch;
      while ((batch = locate(lsn)) != null) {
        failure.check();
        wantForce(batch);
        if (lead(batch)) {
          continue;
        }
        Waiter waiter = Waiter.ofThread();
        if (batch.push(waiter)) {
          startServer(batch);
          interrupted |= waiter.parkUntilWoken(this);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// A future that completes when the log is durable up to `lsn`, on the completer's thread.
  CompletableFuture<Void> whenDurable(long lsn) {
    var future = new CompletableFuture<Void>();
    register(future, lsn);
    return future;
  }

  private void register(CompletableFuture<Void> future, long lsn) {
    while (true) {
      Batch batch = locate(lsn);
      if (batch == null) {
        future.complete(null);
        return;
      }
      Throwable cause = failure.cause();
      if (cause != null) {
        future.completeExceptionally(Failure.exception(cause));
        return;
      }
      wantForce(batch);
      if (batch.push(Waiter.ofFuture(future, lsn))) {
        startServer(batch);
        return;
      }
    }
  }

  /// The batch that holds the byte before `lsn`; null if it is durable.
  private @Nullable Batch locate(long lsn) {
    while (durableLsn < lsn) {
      Batch batch = firstIncomplete;
      while (batch.endLsn < lsn) {
        Batch next = batch.next;
        if (next == null || next == batch) {
          break; // completed meanwhile: start over
        }
        batch = next;
      }
      if (batch.endLsn >= lsn) {
        return batch;
      }
    }
    return null;
  }

  private void wantForce(Batch batch) {
    if (!batch.strong) {
      batch.strong = true;
      if (batch.state != Batch.OPEN) {
        // Written before anybody wanted it forced (B2).
        advance();
        startServerFor(forceIsWanted());
      }
    }
  }

  // ---- serving

  /// Lets the calling thread, which is about to wait for `batch`, serve it itself if that is better
  /// than to wait.
  ///
  /// @return whether it served a batch
  private boolean lead(Batch batch) {
    if (batch.isSealed() || Thread.currentThread().isVirtual()) {
      return false;
    }
    int others = servers.get();
    if (!pace.mayServe(others, batch.waiterCount() + 1)
        || !servers.compareAndSet(others, others + 1)) {
      return false;
    }
    boolean served = false;
    try {
      if (open == batch) {
        served = serveOpenBatch();
        if (forceIsWanted()) {
          force();
        }
      }
    } finally {
      servers.decrementAndGet();
      startServer(open);
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
    return batch.strong
        && !batch.isSealed()
        && tail.lsn() > batch.startLsn
        && pace.mayServe(others, batch.waiterCount());
  }

  private boolean forceIsWanted() {
    return forceWantedLsn > durableLsn;
  }

  /// Asks for all that was appended to be written, though nobody waits for it to be durable.
  void requestDrain() {
    if (!drainWanted) {
      drainWanted = true;
    }
    startServerFor(true);
  }

  /// Seals the open batch and writes it.
  ///
  /// @return whether there was anything to write
  private boolean serveOpenBatch() {
    try {
      Batch batch = seal();
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

  /// Closes the open batch where the log ends now, and opens the next (G1). Null if it is empty.
  private @Nullable Batch seal() {
    acquire(sealLock);
    try {
      if (failure.isFailed()) {
        return null;
      }
      Batch batch = open;
      long start = batch.startLsn;
      long termEnd = (start | (ring.bytes() - 1)) + 1;
      while (true) {
        long at = tail.lsn();
        if (at == start) {
          return null;
        }
        if (at - start > ring.bytes() / 2) {
          // A commit that is cut may be filling: take what is there, lest it wait for its own end.
          advancePublished(at);
          long published = publishedLsn;
          if (published > start && published < at && published % FrameHeader.BLOCK == 0) {
            return seal(batch, Math.min(published, termEnd), true);
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

  /// @param partial whether commits may wait on this batch that end behind it
  private Batch seal(Batch batch, long end, boolean partial) {
    var next = new Batch(end);
    batch.next = next;
    batch.endLsn = end;
    if (partial && batch.strong) {
      next.strong = true;
    }
    open = next;
    return batch;
  }

  private void write(Batch batch) throws IOException {
    if (batch.markLsn >= 0) {
      layMark(batch);
    }
    awaitPublished(batch.endLsn);
    boolean forced = batch.strong;
    int commits = Math.max(1, batch.waiterCount());
    ByteBuffer bytes = ring.slice(batch.startLsn, batch.endLsn);
    long before = clock.nanoTime();
    pace.begin(commits);
    try {
      segments.write(batch.startLsn, bytes, forced);
    } finally {
      pace.end(commits);
    }
    batches.increment();
    if (forced) {
      countForce(clock.nanoTime() - before);
    }
    ring.zero(batch.startLsn, batch.endLsn);
    batch.state = forced ? Batch.FORCED : Batch.WRITTEN;
    advance();
  }

  private void layMark(Batch batch) {
    // Room for the mark is sure, but behind a commit that is cut only when the batches before are
    // written, which other servers are about.
    for (int tries = 0; batch.endLsn > tail.releasedLsn() + ring.bytes(); tries++) {
      failure.check();
      pause(tries);
    }
    int length = (int) (batch.endLsn - batch.markLsn);
    ring.publishFill(batch.markLsn, FrameHeader.MARK, length, durableLsn);
  }

  private void countForce(long nanos) {
    forces.increment();
    forceNanos.incrementAndGet(63 - Long.numberOfLeadingZeros(Math.max(nanos, 1)));
  }

  /// Moves the released and the durable LSN on as far as batches are written and forced, and wakes
  /// who waited for that.
  private void advance() {
    advanceWanted = true;
    // Who holds the lock looks at the flag again after giving it back.
    while (advanceWanted && advanceLock.compareAndSet(false, true)) {
      Waiter futures;
      try {
        advanceWanted = false;
        futures = advanceLocked();
      } finally {
        advanceLock.set(false);
      }
      if (futures != null) {
        complete(futures);
      }
    }
  }

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
      roomWaiters.wakeAll();
    }
    Batch first = firstIncomplete;
    Batch incomplete = first;
    long forced = forcedLsn;
    while (incomplete != unwritten
        && (incomplete.state == Batch.FORCED || incomplete.endLsn <= forced)) {
      incomplete = next(incomplete);
    }
    for (Batch written = incomplete; written != unwritten; written = next(written)) {
      if (written.strong) {
        forceWantedLsn = Math.max(forceWantedLsn, written.endLsn);
      }
    }
    if (unwritten.startLsn - incomplete.startLsn > ring.bytes()) {
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
        waits.add(stack.depth);
        futures = join(Waiter.wakeAll(stack), futures);
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
    Waiter last = first;
    while (last.next != null) {
      last = last.next;
    }
    last.next = second;
    return first;
  }

  private void complete(Waiter futures) {
    completer.execute(() -> {
      Waiter at = futures;
      while (at != null) {
        CompletableFuture<Void> future = at.future;
        if (future != null) {
          register(future, at.lsn);
        }
        at = at.next;
      }
    });
  }

  /// Forces the files, for batches that were written without.
  private void force() {
    while (forceIsWanted() && !failure.isFailed()) {
      if (!forceLock.compareAndSet(false, true)) {
        return; // who holds it looks again after giving it back
      }
      try {
        long written = tail.releasedLsn();
        long before = clock.nanoTime();
        segments.force(durableLsn, written);
        countForce(clock.nanoTime() - before);
        forcedLsn = Math.max(forcedLsn, written);
      } catch (Throwable e) {
        failure.fail(e);
      } finally {
        forceLock.set(false);
      }
      advance();
    }
  }

  private static void acquire(AtomicBoolean lock) {
    // Held for the time of a few instructions only.
    for (int tries = 0; !lock.compareAndSet(false, true); tries++) {
      pause(tries);
    }
  }

  // ---- timer

  /// Sees to it that what is appended now is forced within the flush interval.
  void armTimer() {
    if (!timerArmed) {
      setTimer();
    }
  }

  private synchronized void setTimer() {
    if (!timerArmed) {
      timerDeadlineNanos = clock.nanoTime() + options.flushIntervalNanos();
      timerArmed = true;
      LockSupport.unpark(flushers[0].thread);
    }
  }

  private boolean timerIsDue() {
    return timerArmed && clock.nanoTime() - timerDeadlineNanos >= 0;
  }

  private void runTimer() {
    timerArmed = false;
    Batch batch = locate(tail.lsn());
    if (batch != null) {
      wantForce(batch);
    }
  }

  // ---- failure and end

  /// Wakes everybody; called once the failure is visible. No batch is sealed any more.
  void wakeFailed() {
    acquire(sealLock);
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
        complete(futures);
      }
    } finally {
      sealLock.set(false);
    }
  }

  /// Ends the flushers and waits for their end. All that matters was forced before.
  void stop() {
    stopped = true;
    boolean interrupted = false;
    for (Flusher flusher : flushers) {
      LockSupport.unpark(flusher.thread);
      interrupted |= Threads.join(flusher.thread);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  LogStatistics statistics(long firstLsn) {
    long[] histogram = new long[Long.SIZE];
    for (int i = 0; i < histogram.length; i++) {
      histogram[i] = forceNanos.get(i);
    }
    return new LogStatistics(
        records.sum(),
        recordBytes.sum(),
        tail.lsn() - firstLsn,
        batches.sum(),
        forces.sum(),
        waits.sum(),
        new Histogram(histogram),
        tail.lsn() - tail.retainedLsn(),
        tail.lsn(),
        durableLsn);
  }

  /// A thread of the log that serves when wanted.
  private final class Flusher implements Runnable {
    private static final VarHandle PARKED =
        ConstantBootstraps.fieldVarHandle(
            lookup(), "parked", VarHandle.class, Flusher.class, boolean.class);

    final Thread thread;
    private final boolean keepsTime;

    /// Set by this thread before it parks, cleared by who wakes it and then counts as its
    /// announcement as a server. Volatile, compare-and-set to false.
    private volatile boolean parked;

    Flusher(boolean keepsTime) {
      this.keepsTime = keepsTime;
      this.thread = options.threads().newThread(this);
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
      if (parked && PARKED.compareAndSet(this, true, false)) {
        servers.incrementAndGet();
        return true;
      }
      return false;
    }

    @Override
    public void run() {
      servers.incrementAndGet();
      while (!stopped) {
        if (!serve()) {
          rest();
        }
      }
    }

    private boolean serve() {
      if (keepsTime && timerIsDue()) {
        runTimer();
      }
      if (forceIsWanted() && !forceLock.get() && !failure.isFailed()) {
        force();
        return true;
      }
      if (drainWanted) {
        drainWanted = false;
        return serveOpenBatch();
      }
      return isWanted(open, servers.get() - 1) && serveOpenBatch();
    }

    private void rest() {
      parked = true;
      servers.decrementAndGet();
      if (isWorkLeft() && claim()) {
        return;
      }
      while (parked && !stopped) {
        if (keepsTime && timerArmed) {
          long left = timerDeadlineNanos - clock.nanoTime();
          if (left <= 0 && claim()) {
            return;
          }
          clock.parkNanos(this, Math.max(left, 1));
        } else {
          LockSupport.park(this);
        }
        Thread
            .interrupted(); // nobody has a reason to interrupt this thread, but it must park again
      }
    }

    private boolean isWorkLeft() {
      return !failure.isFailed()
          && (drainWanted
              || (forceIsWanted() && !forceLock.get())
              || isWanted(open, servers.get()));
    }
  }
}
