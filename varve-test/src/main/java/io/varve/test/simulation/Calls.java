package io.varve.test.simulation;

import io.varve.Commit;
import io.varve.ConflictException;
import io.varve.Durability;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.test.Change;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import io.varve.test.SimulatedThreads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Calls a store, and knows of each commit whose it is and where in the commit order.
///
/// What a commit means is known before another thread runs, in either of two ways. All commits of
/// this life go through here.
///
/// - (O1) Where threads stop only as they wait or call the disk, a thread gets an LSN and applies
///   its commit without a stop. So the thread whose turn it was when the store's last commit
///   changed made the commit, by the call it has under way.
/// - (O2) Where they also stop at accesses of woven code, that code reports when a commit gets its
///   LSN and when it is applied. It gets its LSN with the locks of its spaces held. A commit
///   between the two may be seen or not: a call must see what was applied when it began
///   ([#lowLsn]), and may see what has its position when it ends ([#highLsn]).
final class Calls implements SimulatedThreads.CommitListener {
  /// The longest that a commit which waits for the disk may take where the disk is quiet (D5): the
  /// simulated device takes half a millisecond for a force. It is asked for one or two, and may be
  /// busy with a few. Before that the commit may have waited for a checkpoint to free log. A
  /// checkpoint writes the cache, paced at 64 MiB a second at worst; or the leaves of one commit,
  /// which may be more than a small cache holds.
  private static final long STRONG_NANOS_MAX = 384_000_000;

  /// The thread of a store that writes the time in an archived log.
  private static final String TIMESTAMP_THREAD = "varve-time";

  private static final long MIB_NANOS = 16_000_000;

  private final Store store;
  private final Store engine;
  private final Budgets budgets;
  private final long strongNanosMax;
  private final SimulatedDisk disk;
  private final SimulatedThreads threads;
  private final Timeline timeline;
  private final Promises promises;
  private final Faults faults;
  private final Trace trace;
  private final Stages stages;
  private final Map<Thread, UnderWay> underWay = new HashMap<>();
  private final Set<String> dropped = new HashSet<>();
  private final boolean woven;

  /// Commits whose position is known and not looked at yet, in their order (O2).
  private final List<Reserved> reserved = new ArrayList<>();

  /// The commits that have a position and are not applied (O2).
  private final Map<Thread, Long> applying = new HashMap<>();

  private long seenLsn;
  private long seenCommits;
  private boolean failed;
  private long commits;

  /// What a commit changes, reported when it is applied.
  @FunctionalInterface
  interface Effect {
    /// A call that changes nothing.
    Effect NONE = _ -> List.of();

    /// A call whose commits change what is no space of the model: none, or several of them.
    Effect WITHIN = _ -> List.of();

    /// The changes, from the content before. Throws if the commit must not be.
    List<Change> of(Timeline before);

    /// Whether the call has made some of several commits, so that it may be refused between them.
    default boolean isUnfinished() {
      return false;
    }
  }

  /// A call that returned.
  ///
  /// @param result what it gave
  /// @param lsn of the commit that it made, or 0 if it made none
  /// @param fromLsn the newest commit that it must have seen
  /// @param toLsn the newest commit that it may have seen
  record Done<T extends @Nullable Object>(T result, long lsn, long fromLsn, long toLsn) {
    boolean committed() {
      return lsn != 0;
    }
  }

  private record Reserved(Thread by, long lsn, long millis) {}

  private static final class UnderWay {
    final Effect effect;
    long lsn;

    UnderWay(Effect effect) {
      this.effect = effect;
    }
  }

  Calls(OpenedStore opened, Sizes sizes, Machine machine, Timeline timeline, Promises promises) {
    this.store = opened.store();
    this.engine = opened.engine();
    this.budgets = opened.budgets();
    this.strongNanosMax =
        strongNanosMax(
            store.options().cacheBytes(), sizes.bulkBytes(), machine.options().threadsMax());
    this.disk = machine.disk();
    this.threads = machine.threads();
    this.timeline = timeline;
    this.promises = promises;
    this.faults = machine.faults();
    this.trace = machine.trace();
    this.stages = new Stages(disk, faults, trace);
    this.seenLsn = store.lastCommit().lsn();
    this.seenCommits = SimulatedStore.appliedCommits(engine);
    this.woven = threads.listenToCommits(this);
  }

  /// Threads that commit half the log each wait for a checkpoint each, one after the other.
  private static long strongNanosMax(long cacheBytes, long bulkBytes, int threadsMax) {
    long nanos = STRONG_NANOS_MAX + MIB_NANOS * (Math.max(cacheBytes, bulkBytes) >> 20);
    return bulkBytes > 0 ? nanos * threadsMax : nanos;
  }

  Store store() {
    return store;
  }

  /// The store as it was opened, whatever wraps it.
  Store engine() {
    return engine;
  }

  Timeline timeline() {
    return timeline;
  }

  Promises promises() {
    return promises;
  }

  SimulatedThreads threads() {
    return threads;
  }

  /// What asynchronous calls gave.
  Stages stages() {
    return stages;
  }

  /// Whether the machine is off, or the store failed and refuses commits.
  boolean isOver() {
    return disk.isOff() || failed;
  }

  /// How many commits there were in this life.
  long commits() {
    return commits;
  }

  /// The newest commit of any kind that has its position in the order.
  long highLsn() {
    look(Thread.currentThread());
    return seenLsn;
  }

  /// The newest commit up to which all are applied.
  long lowLsn() {
    long low = highLsn();
    for (long lsn : applying.values()) {
      low = Math.min(low, lsn - 1);
    }
    return low;
  }

  /// Notes that a space may be dropped: handles to it may fail from now on.
  void mayDrop(String space) {
    dropped.add(space);
  }

  /// Looks whether `thread` has made a commit since the last look.
  void look(Thread thread) {
    if (woven) {
      lookAtReserved();
      return;
    }
    long last;
    try {
      last = store.lastCommit().lsn();
    } catch (StoreClosedException _) {
      return; // no thread commits any more
    }
    if (last == seenLsn) {
      return;
    }
    long applied = SimulatedStore.appliedCommits(engine);
    if (applied == seenCommits) {
      recorded(thread, last, threads.turnMillis());
    } else {
      seenCommits = applied;
      made(thread, last, threads.turnMillis());
    }
  }

  /// Takes the commits in their order. What a call changes may be reported by methods of the store:
  /// a thread that stopped in one of them would let others commit, and look, in between.
  private void lookAtReserved() {
    boolean stops = threads.stopsAtAccesses();
    threads.stopAtAccesses(false);
    try {
      reserved.forEach(this::look);
    } finally {
      reserved.clear();
      threads.stopAtAccesses(stops);
    }
  }

  /// All of these are commits but records of the time: where threads stop at accesses, an archived
  /// log holds all values whole, and no pieces of them.
  private void look(Reserved place) {
    if (place.by.getName().equals(TIMESTAMP_THREAD)) {
      recorded(place.by, place.lsn, place.millis);
    } else {
      made(place.by, place.lsn, place.millis);
    }
  }

  private void made(Thread by, long lsn, long millis) {
    UnderWay call = underWay.get(by);
    if (call != null) {
      call.lsn = lsn;
      timeline.commit(lsn, millis, call.effect.of(timeline));
      commits++;
    }
    seenLsn = lsn;
    trace.note("commit", lsn);
  }

  /// Notes that `by` wrote a record to an archived log that is no commit.
  private void recorded(Thread by, long lsn, long millis) {
    if (by.getName().equals(TIMESTAMP_THREAD)) {
      timeline.timestamp(lsn, millis);
    }
    seenLsn = lsn;
    trace.note("record", lsn);
  }

  @Override
  public void reserved(long lsn) {
    reserved.add(new Reserved(Thread.currentThread(), lsn, threads.turnMillis()));
    applying.put(Thread.currentThread(), lsn);
  }

  @Override
  public void applied() {
    applying.remove(Thread.currentThread());
  }

  /// Calls the store.
  ///
  /// @throws CallRefusedException if it refused, and may
  /// @throws AssertionError if it must not refuse so
  <T extends @Nullable Object> Done<T> call(String what, Effect effect, Supplier<T> work) {
    Thread self = Thread.currentThread();
    UnderWay call = new UnderWay(effect);
    stages.requireRight();
    long fromLsn = lowLsn();
    boolean failedBefore = failed;
    look(self); // what a call around this one has committed before is that one's
    UnderWay around = underWay.put(self, call);
    T result;
    try {
      trace.note(what);
      result = work.get();
    } catch (RuntimeException e) {
      look(self);
      throw refused(what, call, e);
    } finally {
      look(self);
      if (around == null) {
        underWay.remove(self);
      } else {
        underWay.put(self, around);
      }
    }
    if (failedBefore && call.lsn != 0) {
      throw new AssertionError("commit after the store had failed (D4): call=" + what);
    }
    trace.note("done", what, call.lsn);
    budgets.requireMemory(store.statistics());
    return new Done<>(result, call.lsn, fromLsn, seenLsn);
  }

  private RuntimeException refused(String what, UnderWay call, RuntimeException e) {
    trace.note("refused", what, e.getClass().getSimpleName());
    if (e instanceof StoreFailedException) {
      failed = true;
    }
    // Else it may have moved something, or made some of several commits.
    boolean changes = !call.effect.equals(Effect.NONE) && !call.effect.equals(Effect.WITHIN);
    if (changes
        && call.lsn != 0
        && !call.effect.isUnfinished()
        && (e instanceof StoreFullException || e instanceof ConflictException)) {
      throw new AssertionError("refused call has taken effect: call=" + what, e);
    }
    if (e instanceof ConflictException || e instanceof CallRefusedException) {
      return e; // the latter of a call within this one
    }
    boolean handleEnded = e instanceof IllegalStateException && isOfDropped(e);
    if (!handleEnded && !faults.explain(e, disk)) {
      throw new AssertionError(
          "unexpected answer: call=%s, fault=%s, machineOff=%b"
              .formatted(what, faults.kind(), disk.isOff()),
          e);
    }
    return new CallRefusedException(e);
  }

  private boolean isOfDropped(RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    return dropped.stream().anyMatch(space -> message.contains("dropped: space=" + space));
  }

  /// Calls the store for a commit, and notes what it promised.
  ///
  /// @param work gives the commit
  Done<Commit> commit(String what, Durability durability, Effect effect, Supplier<Commit> work) {
    long startNanos = threads.nanoTime();
    Done<Commit> done = call(what, effect, work);
    if (done.committed() && done.result.lsn() != done.lsn) {
      throw new AssertionError(
          "call gave the LSN of another commit: call=%s, found=%d, expected=%d"
              .formatted(what, done.result.lsn(), done.lsn));
    }
    acknowledged(done, durability, startNanos);
    return done;
  }

  /// Notes what a call promised that has returned and gives no LSN.
  void acknowledged(Done<?> done, Durability durability, long startNanos) {
    if (!done.committed()) {
      return;
    }
    promises.acknowledged(done.lsn, durability, threads.nanoTime());
    long nanos = threads.nanoTime() - startNanos;
    if (durability == Durability.POWER_LOSS && nanos > strongNanosMax && faults.isQuiet()) {
      throw new AssertionError("strong commit took too long (D5): nanos=" + nanos);
    }
  }

  /// Calls the store for a commit that it acknowledges later.
  void commitAsync(
      String what, Durability durability, Effect effect, Supplier<CompletionStage<Commit>> work) {
    Done<CompletionStage<Commit>> done = call(what, effect, work);
    stages.follow(
        what,
        done.result,
        done.lsn,
        lsn -> promises.acknowledged(lsn, durability, threads.nanoTime()));
  }

  /// Calls the store for a stage that reports when a commit would survive a loss of power.
  void durable() {
    long[] lsn = new long[1];
    Done<CompletionStage<Commit>> done =
        call(
            "whenDurable",
            Effect.NONE,
            () -> {
              Commit last = store.lastCommit();
              lsn[0] = last.lsn();
              return store.whenDurable(last);
            });
    stages.follow("whenDurable", done.result, lsn[0], promises::durable);
  }
}
