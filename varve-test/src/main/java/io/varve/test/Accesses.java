package io.varve.test;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// What woven classes call ([WovenClassLoader]); no other code should. Every method does what the
/// class would have done, and nothing more. It does more where the calling thread has its turn in a
/// [SimulatedThreads] that stops at accesses.
public final class Accesses {
  /// Whose threads run. Written by the thread that runs them, between turns; one at a time.
  private static @Nullable Turns running;

  /// How many class initializers are under way.
  private static int initializing;

  /// The log that was made last.
  private static @Nullable Object log;

  /// The threads of the simulation that runs.
  interface Turns {
    /// Stops the calling thread before an access, if the seed selects it.
    void access(int site, boolean ordered);

    /// Whether the calling thread is one of the simulation, so that it is its turn.
    boolean isTurnOfCaller();

    /// Lets another thread run.
    void giveTurn();

    /// Parks by the clock of the simulation.
    void parkNanos(Object blocker, long nanos);

    /// The time of the simulation.
    long nanoTime();

    /// The number of the calling thread.
    int numberOfCaller();

    /// A commit reserved its position in a log.
    void reserved(long lsn, Object log);

    /// What the calling thread reserved was applied.
    void applied();
  }

  private Accesses() {}

  /// Whether this copy of the kit is one whose engine is woven.
  static boolean areWoven() {
    return Accesses.class.getClassLoader() instanceof WovenClassLoader;
  }

  static void running(@Nullable Turns threads) {
    running = threads;
    initializing = 0;
    log = null;
  }

  static @Nullable Object log() {
    return log;
  }

  /// Before an access in a mode that orders it, a lock, or its release.
  public static void before(int site) {
    Turns threads = running;
    if (threads != null && initializing == 0) {
      threads.access(site, true);
    }
  }

  /// Before an access to bytes of a page or of the log.
  public static void beforePlain(int site) {
    Turns threads = running;
    if (threads != null && initializing == 0) {
      threads.access(site, false);
    }
  }

  /// In place of [Thread#onSpinWait]: what is waited for, another thread does in its turn.
  public static void spin() {
    Turns threads = running;
    if (threads != null && threads.isTurnOfCaller()) {
      threads.giveTurn();
    } else {
      Thread.onSpinWait();
    }
  }

  /// In place of [LockSupport#parkNanos(long)], which waits by the system's clock.
  public static void parkNanos(long nanos) {
    parkNanos(Accesses.class, nanos);
  }

  /// In place of [LockSupport#parkNanos(Object, long)], which waits by the system's clock.
  public static void parkNanos(Object blocker, long nanos) {
    Turns threads = running;
    if (threads != null && threads.isTurnOfCaller()) {
      threads.parkNanos(blocker, nanos);
    } else {
      LockSupport.parkNanos(blocker, nanos);
    }
  }

  /// In place of [System#nanoTime], compared with which the sleeps of the simulation take no time.
  public static long nanoTime() {
    Turns threads = running;
    return threads != null && threads.isTurnOfCaller() ? threads.nanoTime() : System.nanoTime();
  }

  /// In place of [Thread#threadId], which differs from run to run.
  public static long threadId(Thread thread) {
    Turns threads = running;
    return threads != null && threads.isTurnOfCaller()
        ? threads.numberOfCaller()
        : thread.threadId();
  }

  /// A class initializer begins.
  public static void initializing() {
    initializing++;
  }

  /// A class initializer ends.
  public static void initialized() {
    initializing--;
  }

  /// A log was made.
  public static void logMade(Object made) {
    log = made;
  }

  /// A commit reserved its LSN in a log.
  ///
  /// @param from the tail before, or less than 0 if there was no capacity
  /// @param lsn the tail now
  public static void reserved(long from, long lsn, Object reservedIn) {
    Turns threads = running;
    if (threads != null && from >= 0) {
      threads.reserved(lsn, reservedIn);
    }
  }

  /// What the caller reserved, if anything, was applied.
  public static void applied() {
    Turns threads = running;
    if (threads != null) {
      threads.applied();
    }
  }
}
