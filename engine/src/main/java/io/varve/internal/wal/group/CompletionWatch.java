package io.varve.internal.wal.group;

import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.disk.Threads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Sees to it that no completion keeps others waiting: a thread looks now and then at those that
/// are under way, and has what waits for one of them completed elsewhere.
///
/// - (WATCH-1) While a completion is under way, the thread is awake, or is about to see that
///   `awake` was set: each side writes its field before it reads the other's.
/// - (WATCH-2) What waits for a completion waits for two rounds at most.
///
/// The thread rests when there was nothing to look at for a while. So it costs a store at rest
/// nothing, and one under load a hundredth of a core at most.
final class CompletionWatch {
  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /// Rounds in a second: a completion that takes as many is reported.
  private static final int ROUNDS_SLOW = (int) (TimeUnit.SECONDS.toNanos(1) / ROUND_NANOS);

  /// Rounds without work before the thread rests.
  private static final int ROUNDS_IDLE = ROUNDS_SLOW;

  private final StoreThreads threads;
  private final Clock clock;
  private final Runnable spreadQueue;
  private final Consumer<Completions> handOn;

  /// Those under way on other threads than the completer's.
  private final Set<Completions> elsewhere = ConcurrentHashMap.newKeySet();

  /// What the completer's thread runs.
  private volatile @Nullable Completions first;

  /// Whether the completer's thread is held up. Written by the watching thread; perhaps a round
  /// late.
  private volatile boolean stuck;

  private volatile boolean awake;
  private volatile boolean closed;
  private @Nullable Thread thread; // guarded by this

  /// For the watching thread.
  private boolean reported;

  /// @param spreadQueue has what waits for the completer's thread completed elsewhere
  /// @param handOn has a single future completed elsewhere
  CompletionWatch(
      StoreThreads threads, Clock clock, Runnable spreadQueue, Consumer<Completions> handOn) {
    this.threads = threads;
    this.clock = clock;
    this.spreadQueue = spreadQueue;
    this.handOn = handOn;
  }

  /// Whether what is given to the completer's thread would wait long.
  boolean isStuck() {
    return stuck;
  }

  /// Runs completions on the completer's thread.
  void runFirst(Completions task) {
    first = task;
    wake();
    try {
      task.run();
    } finally {
      first = null;
    }
  }

  /// Runs completions on another thread.
  void run(Completions task) {
    try {
      elsewhere.add(task);
    } catch (RuntimeException | Error _) {
      // There is no memory to have it looked at; it is completed all the same.
    }
    wake();
    try {
      task.run();
    } finally {
      elsewhere.remove(task);
    }
  }

  private void wake() {
    if (!awake) {
      try {
        begin();
      } catch (RuntimeException | Error _) {
        awake = false; // What begins next tries again; this is completed all the same.
      }
    }
  }

  private synchronized void begin() {
    awake = true;
    Thread present = thread;
    if (present != null) {
      LockSupport.unpark(present);
      return;
    }
    Thread made = threads.newThread("varve-completion-watch", this::watch);
    made.start();
    thread = made;
  }

  private void watch() {
    int idle = 0;
    while (true) {
      Threads.park(clock, this, ROUND_NANOS);
      if (hasEnded()) {
        return;
      }
      idle = first != null || !elsewhere.isEmpty() ? 0 : idle + 1;
      if (idle == ROUNDS_IDLE) {
        rest();
        idle = 0;
      }
    }
  }

  /// Waits for work (WATCH-1).
  private void rest() {
    awake = false;
    if (first != null || !elsewhere.isEmpty()) {
      awake = true;
    }
    while (!awake && !closed) {
      LockSupport.park(this);
      Thread.interrupted(); // as Threads.park does
    }
  }

  /// Whether the thread is to end: after the close, when all that is under way was seen to be held
  /// up, so that what waited for it was given to others. What begins later starts another thread
  /// (WATCH-1).
  private synchronized boolean ends() {
    if (!closed) {
      return false;
    }
    awake = false;
    Completions own = first;
    boolean settled = own == null || own.isHeld();
    for (Completions other : elsewhere) {
      settled &= other.isHeld();
    }
    if (settled) {
      thread = null;
    } else {
      awake = true;
    }
    return settled;
  }

  /// Looks, and then whether the thread is to end.
  ///
  /// @return false also if a lack of memory broke it off: then the rest waits for the next round
  private boolean hasEnded() {
    try {
      look();
      return ends();
    } catch (RuntimeException | Error _) {
      return false;
    }
  }

  /// Looks at all that is under way (WATCH-2).
  private void look() {
    Completions own = first;
    boolean ownIsStuck = own != null && isStuck(own);
    stuck = ownIsStuck;
    if (ownIsStuck) {
      spreadQueue.run();
    }
    elsewhere.forEach(this::isStuck);
  }

  private boolean isStuck(Completions task) {
    int rounds = task.countRound();
    if (rounds == 0) {
      return false;
    }
    if (rounds == ROUNDS_SLOW && !reported) {
      reported = true;
      report(task.where(), elsewhere.size() + (first == null ? 0 : 1));
    }
    task.splitRest(handOn);
    return true;
  }

  /// In a thread of its own: what takes logs is the users' code as well, and may take long.
  private void report(String where, int underWay) {
    String message =
        "what hangs on the stage of an asynchronous commit has run for over a second: thread="
            + where
            + ", completionsUnderWay="
            + underWay
            + "; others are completed elsewhere; hand on what waits (whenCompleteAsync), or set"
            + " StoreOptions.completionExecutor; this is reported once for each open";
    threads
        .newVirtualThread(
            "varve-completion-report",
            () ->
                System.getLogger(CompletionWatch.class.getName())
                    .log(System.Logger.Level.WARNING, message))
        .start();
  }

  /// Ends the thread when no completion waits for another.
  void close() {
    Thread present;
    synchronized (this) {
      closed = true;
      present = thread;
    }
    LockSupport.unpark(present);
  }
}
