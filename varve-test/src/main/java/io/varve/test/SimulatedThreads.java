package io.varve.test;

import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Threads and time under one seed: of all threads that can continue, one runs at a time, to its
/// next stop, and the seed picks which. So a run of many threads, a store's own among them, repeats
/// exactly.
///
/// A thread stops where it parks, waits for a lock or a thread, yields, ends, or calls [#giveTurn]
/// or [#pause]; the plan of a [SimulatedDisk] is a good point to call those. Between two stops no
/// other thread runs. Time moves a little with each turn and, when no thread can continue, to the
/// next time at which one can.
///
/// ```java
/// var threads = new SimulatedThreads(seed);
/// threads.run(() -> {
///   Store store = SimulatedStore.open(disk, threads, StoreOptions.defaults());
///   Thread other = threads.start("other", () -> store.space("a").put(key, value));
///   ...
/// });
/// ```
///
/// The JVM needs `--add-opens java.base/java.lang=io.varve.test`, or `=ALL-UNNAMED` on the class
/// path. With `-Djdk.trackAllThreads=false`, threads that were abandoned can be collected.
///
/// - **Threads:** made and run by one thread; its threads call what they like.
public final class SimulatedThreads {
  private static final long EPOCH_MILLIS = 1_767_225_600_000L; // 1 January 2026, 00:00 UTC

  /// What a turn takes: between these, evenly.
  private static final int TURN_NANOS_MIN = 500;

  private static final int TURN_NANOS_MAX = 20_000;

  /// The same of a turn that ends at an access of woven code.
  private static final int ACCESS_NANOS_MIN = 10;

  private static final int ACCESS_NANOS_MAX = 200;

  /// How many times out of these a slow thread that was picked gives way to another.
  private static final int SLOWNESS = 8;

  /// How long a thread outside of the simulation may have what one inside waits for.
  private static final long OUTSIDER_NANOS_MAX = 10_000_000_000L;

  private static final long OUTSIDER_POLL_NANOS = 100_000;

  private final SplittableRandom random;
  private final Clock clock = new Face();
  private final StoreThreads storeThreads = new Maker();
  private final MonitorSettler settler = new MonitorSettler();

  /// The threads that can continue, since the scheduler looked last.
  private final Queue<SimulatedThread> arrivals = new ConcurrentLinkedQueue<>();

  /// The threads that can continue, by number, so that the order in which they came does not count.
  private final List<SimulatedThread> runnable = new ArrayList<>();

  private final TreeSet<SimulatedThread> sleeping = new TreeSet<>(SimulatedThread.BY_WAKE_UP);
  private final List<SimulatedThread> blocked = new ArrayList<>();
  private final List<SimulatedThread> alive = new ArrayList<>();

  /// Of a hundred turns, how many go to the thread that had the last one, if it can continue.
  private final int stickyPercent;

  private final boolean hasSlowThreads;
  private @Nullable SimulatedThread current;
  private @Nullable SimulatedThread previous;
  private Consumer<Thread> observer = _ -> {};
  private @Nullable AccessStops accessStops;
  private boolean stopsAtAccesses;
  private @Nullable CommitListener commitListener;
  private @Nullable Object followedLog;
  private long turnsMax = Long.MAX_VALUE;
  private long nanos;
  private long turnNanos;
  private long turns;
  private long digest;
  private int threadCount;

  /// Makes a scheduler whose choices follow from `seed`.
  public SimulatedThreads(long seed) {
    random = new SplittableRandom(seed);
    stickyPercent = random.nextInt(3) == 0 ? random.nextInt(95) : 0;
    hasSlowThreads = random.nextInt(3) == 0;
    digest = seed;
  }

  /// Lets threads stop at accesses of woven code, too, or no longer. Has no effect outside of a
  /// [WovenClassLoader].
  public void stopAtAccesses(boolean stop) {
    if (accessStops == null && Accesses.areWoven()) {
      accessStops = new AccessStops(random.nextLong());
    }
    stopsAtAccesses = stop && accessStops != null;
  }

  /// Lets the calling thread stop at many more of the next accesses than others.
  public void lookClosely() {
    AccessStops stops = accessStops;
    if (stops != null) {
      stops.lookClosely(current());
    }
  }

  /// Whether threads stop at accesses, too.
  public boolean stopsAtAccesses() {
    return stopsAtAccesses;
  }

  /// Whether the engine that this copy of the kit simulates is woven.
  public static boolean isWoven() {
    return Accesses.areWoven();
  }

  /// Runs `main` as the first thread, and all threads that are started, until `main` ends. What it
  /// throws is thrown, and so is what any other thread started by [#start] throws, immediately.
  /// Then the others are abandoned.
  ///
  /// @throws StuckThreadsException if no thread can continue, or they take more turns than allowed
  public void run(Runnable main) {
    SimulatedThread first = make("main", main);
    Accesses.running(new Woven());
    first.thread.start();
    try {
      while (!first.ended) {
        turn();
      }
    } finally {
      Accesses.running(null);
      for (SimulatedThread thread : alive) {
        thread.abandoned = true;
      }
      alive.clear();
    }
  }

  /// Starts a thread.
  public Thread start(String name, Runnable body) {
    Thread thread = make(name, body).thread;
    thread.start();
    return thread;
  }

  /// Lets `looking` look after each turn; it is given the thread whose turn it was.
  public void observer(Consumer<Thread> looking) {
    observer = looking;
  }

  /// Ends a run that takes more turns.
  public void turnsMax(long max) {
    turnsMax = max;
  }

  /// Gives no other thread but the calling one a turn ever again: as if their process had died.
  public void abandonOthers() {
    SimulatedThread caller = current();
    for (SimulatedThread thread : alive) {
      thread.abandoned = thread != caller;
    }
    alive.removeIf(thread -> thread.abandoned);
    sleeping.removeIf(thread -> thread.abandoned);
    blocked.removeIf(thread -> thread.abandoned);
    runnable.removeIf(thread -> thread.abandoned);
  }

  /// Lets others have a turn.
  @SuppressWarnings("ThreadPriorityCheck") // the scheduler is ours
  public void giveTurn() {
    if (current != null) {
      Thread.yield();
    }
  }

  /// Stops the calling thread for a time, as a slow device would: it holds what it holds, and
  /// neither an interrupt nor an unpark is consumed.
  @SuppressWarnings("ThreadPriorityCheck") // the scheduler is ours
  public void pause(long durationNanos) {
    SimulatedThread thread = current;
    if (thread != null) {
      thread.wakeNanos = nanos + durationNanos;
      thread.pausing = true;
      Thread.yield();
      thread.pausing = false;
    }
  }

  /// Nanoseconds since the start.
  public long nanoTime() {
    return nanos;
  }

  /// What the clock showed, as the time of day, during the turn that is under way or was the last.
  public long turnMillis() {
    return EPOCH_MILLIS + turnNanos / 1_000_000;
  }

  /// The thread whose turn it is or was last, for messages.
  public String currentName() {
    SimulatedThread thread = current != null ? current : previous;
    return thread == null ? "none" : thread.thread.getName();
  }

  /// How many turns there were.
  public long turns() {
    return turns;
  }

  /// Equal for equal runs, and almost surely different for different ones.
  public long digest() {
    return digest;
  }

  /// Makes something that happened part of [#digest].
  public void note(long what) {
    digest = mix(digest ^ what);
  }

  /// Notices of the commits of one store, which woven code gives.
  public interface CommitListener {
    /// The calling thread's commit has its position in the order, and is not applied yet.
    void reserved(long lsn);

    /// What the calling thread reserved, if anything, is applied.
    void applied();
  }

  /// Lets `listener` know of commits of the store that was opened last.
  ///
  /// @return whether it will be notified: whether the store's classes are woven
  @SuppressWarnings(
      "exports") // of Nullable: for the tools of a program that has it, no one needs it
  public boolean listenToCommits(@Nullable CommitListener listener) {
    commitListener = listener;
    followedLog = Accesses.log();
    return Accesses.areWoven();
  }

  boolean isTurnOfCaller() {
    SimulatedThread thread = current;
    return thread != null && thread.thread.equals(Thread.currentThread());
  }

  /// What woven code asks of these threads.
  private final class Woven implements Accesses.Turns {
    /// Stops the calling thread before an access, if the seed selects it.
    @SuppressWarnings("ThreadPriorityCheck") // the scheduler is ours
    @Override
    public void access(int site, boolean ordered) {
      AccessStops stops = accessStops;
      SimulatedThread thread = current;
      if (stopsAtAccesses
          && stops != null
          && thread != null
          && thread.thread.equals(Thread.currentThread())
          && stops.isAt(thread, site, ordered)) {
        thread.atAccess = true;
        pause(stops.pauseNanos());
        thread.atAccess = false;
      }
    }

    @Override
    public boolean isTurnOfCaller() {
      return SimulatedThreads.this.isTurnOfCaller();
    }

    @Override
    public void giveTurn() {
      SimulatedThreads.this.giveTurn();
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      clock.parkNanos(blocker, nanos);
    }

    @Override
    public long nanoTime() {
      return SimulatedThreads.this.nanoTime();
    }

    @Override
    public int numberOfCaller() {
      return current().number;
    }

    @Override
    public void reserved(long lsn, Object log) {
      CommitListener listener = commitListener;
      if (listener != null && log.equals(followedLog) && isTurnOfCaller()) {
        listener.reserved(lsn);
      }
    }

    @Override
    public void applied() {
      CommitListener listener = commitListener;
      if (listener != null && isTurnOfCaller()) {
        listener.applied();
      }
    }
  }

  /// What a store uses.
  Clock asClock() {
    return clock;
  }

  /// What a store uses.
  StoreThreads asStoreThreads() {
    return storeThreads;
  }

  /// Notes that a thread can continue. Called by any thread.
  void arrived(SimulatedThread thread) {
    arrivals.add(thread);
  }

  private SimulatedThread make(String name, Runnable body) {
    boolean slow = hasSlowThreads && random.nextInt(4) == 0;
    var made =
        new SimulatedThread(this::arrived, threadCount++, name, body, slow, random.nextBoolean());
    alive.add(made);
    return made;
  }

  private SimulatedThread current() {
    SimulatedThread thread = current;
    if (thread == null) {
      throw new IllegalStateException("not called by a simulated thread");
    }
    return thread;
  }

  private void turn() {
    takeArrivals();
    wakeSleepers();
    while (runnable.isEmpty()) {
      if (!sleeping.isEmpty()) {
        nanos = Math.max(nanos, sleeping.first().wakeNanos);
        wakeSleepers();
      } else if (!awaitOutsider()) {
        throw stuck("no thread can continue");
      }
    }
    if (++turns > turnsMax) {
      throw stuck("threads do not come to an end");
    }
    SimulatedThread thread = pick();
    note(thread.number);
    current = thread;
    turnNanos = nanos;
    thread.takeTurn();
    current = null;
    previous = thread;
    nanos +=
        thread.atAccess
            ? random.nextInt(ACCESS_NANOS_MIN, ACCESS_NANOS_MAX)
            : random.nextInt(TURN_NANOS_MIN, TURN_NANOS_MAX);
    settle(thread);
    observer.accept(thread.thread);
  }

  /// Finds out which threads can continue after a turn, and how the turn ended.
  private void settle(SimulatedThread thread) {
    if (thread.ended) {
      alive.remove(thread);
      if (thread.failure != null) {
        throw sneaky(thread.failure);
      }
    } else if (thread.thread.getState() == Thread.State.BLOCKED) {
      blocked.add(thread);
    } else if (thread.thread.getState() == Thread.State.TIMED_WAITING) {
      throw new IllegalStateException("waits by the system's clock: " + describe(thread));
    }
    if (!blocked.isEmpty()) {
      settler.settle();
      blocked.removeIf(arrivals::contains);
    }
  }

  /// Waits for a thread that waits for none of ours: now and then one of the JDK's own, such as a
  /// cleaner's, has a monitor that one of ours wants as well.
  ///
  /// @return whether one of ours can continue
  private boolean awaitOutsider() {
    long deadline = System.nanoTime() + OUTSIDER_NANOS_MAX;
    while (runnable.isEmpty()
        && alive.stream().anyMatch(SimulatedThreads::isUnderWay)
        && System.nanoTime() < deadline) {
      LockSupport.parkNanos(OUTSIDER_POLL_NANOS);
      blocked.removeIf(arrivals::contains);
      takeArrivals();
    }
    return !runnable.isEmpty();
  }

  /// Whether a thread that has no turn waits for a monitor, or was released and not handed over
  /// yet.
  private static boolean isUnderWay(SimulatedThread thread) {
    return switch (thread.thread.getState()) {
      case BLOCKED, RUNNABLE -> true;
      default -> false;
    };
  }

  private void takeArrivals() {
    SimulatedThread thread;
    while ((thread = arrivals.poll()) != null) {
      if (thread.abandoned) {
        continue;
      }
      if (thread.pausing && thread.wakeNanos > nanos) {
        sleeping.add(thread);
      } else {
        makeRunnable(thread);
      }
    }
  }

  /// Notes that a thread can continue. It may be known: a thread that asks for the stack of one
  /// that waits for its turn has the JDK hand it over again.
  private void makeRunnable(SimulatedThread thread) {
    int index =
        Collections.binarySearch(runnable, thread, Comparator.comparingInt(other -> other.number));
    if (index < 0) {
      runnable.add(-index - 1, thread);
    }
  }

  private void wakeSleepers() {
    while (!sleeping.isEmpty() && sleeping.first().wakeNanos <= nanos) {
      SimulatedThread thread = sleeping.removeFirst();
      if (thread.pausing) {
        makeRunnable(thread);
      } else {
        LockSupport.unpark(thread.thread);
      }
    }
    takeArrivals();
  }

  private SimulatedThread pick() {
    SimulatedThread last = previous;
    if (last != null && stickyPercent > 0 && random.nextInt(100) < stickyPercent) {
      if (runnable.remove(last)) {
        return last;
      }
    }
    int index = random.nextInt(runnable.size());
    if (runnable.get(index).slow && random.nextInt(SLOWNESS) > 0) {
      index = random.nextInt(runnable.size());
    }
    return runnable.remove(index);
  }

  private StuckThreadsException stuck(String what) {
    var text = new StringBuilder(what + ": turns=" + turns + ", nanos=" + nanos);
    alive.forEach(thread -> text.append(System.lineSeparator()).append(describe(thread)));
    return new StuckThreadsException(text.toString());
  }

  private static String describe(SimulatedThread thread) {
    var text = new StringBuilder(thread + ", state=" + thread.thread.getState());
    for (StackTraceElement frame : thread.thread.getStackTrace()) {
      text.append(System.lineSeparator()).append("    at ").append(frame);
    }
    return text.toString();
  }

  /// Throws an exception as it is: what a thread threw is what its starter gets.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException sneaky(Throwable e) throws E {
    throw (E) e;
  }

  /// The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
  /// generators, 2014).
  private static long mix(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  private final class Face implements Clock {
    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public long currentTimeMillis() {
      return EPOCH_MILLIS + nanos / 1_000_000;
    }

    @Override
    public void parkNanos(Object blocker, long durationNanos) {
      SimulatedThread thread = current();
      if (durationNanos > 0) {
        thread.wakeNanos = nanos + Math.min(durationNanos, Long.MAX_VALUE / 2);
        sleeping.add(thread);
        LockSupport.park(blocker);
        sleeping.remove(thread);
      }
    }
  }

  private final class Maker implements StoreThreads {
    @Override
    public Thread newThread(String name, Runnable work) {
      return make(name, work).thread;
    }

    @Override
    public boolean callerMayServe() {
      SimulatedThread thread = current;
      return thread != null && thread.mayServe;
    }
  }
}
