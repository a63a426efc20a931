package io.varve.test;

import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A thread of [SimulatedThreads]: what is to be run when it is its turn.
///
/// Guarded by the turn: only the thread whose turn it is, and the scheduler between turns, use it,
/// except [#execute].
final class SimulatedThread implements Executor {
  /// The thread that sleeps least, comes first.
  static final Comparator<SimulatedThread> BY_WAKE_UP =
      Comparator.<SimulatedThread>comparingLong(thread -> thread.wakeNanos)
          .thenComparingInt(thread -> thread.number);

  final int number;
  final Thread thread;

  /// Whether it is given a turn less often than others.
  final boolean slow;

  /// What [io.varve.internal.disk.StoreThreads#callerMayServe] returns to it.
  final boolean mayServe;

  private final Consumer<SimulatedThread> scheduler;
  private final Runnable body;

  /// Runs the thread to its next stop. Set whenever it can continue.
  private volatile @Nullable Runnable turn;

  /// When it is to continue, if [#pausing] or parked with a time.
  long wakeNanos;

  /// Whether it waits for a device or for its turn, and is not to continue before [#wakeNanos].
  boolean pausing;

  /// Of the accesses of woven code by this thread, one in so many is a stop; 0 if that is as with
  /// any other.
  int closely;

  /// For how many stops that is so.
  int closelyLeft;

  /// Whether it stopped at an access of woven code, which takes next to no time.
  boolean atAccess;

  boolean abandoned;
  boolean ended;
  @Nullable Throwable failure;

  /// @param scheduler takes this thread whenever it can continue
  SimulatedThread(
      Consumer<SimulatedThread> scheduler,
      int number,
      String name,
      Runnable body,
      boolean slow,
      boolean mayServe) {
    this.scheduler = scheduler;
    this.number = number;
    this.body = body;
    this.slow = slow;
    this.mayServe = mayServe;
    this.thread = VirtualThreads.unstarted(this, name, this::run);
  }

  @SuppressWarnings(
      "CatchAndPrintStackTrace") // it is thrown again by the thread that runs the threads
  private void run() {
    try {
      body.run();
    } catch (Throwable e) {
      failure = e;
    } finally {
      ended = true;
    }
  }

  /// Called by the JDK when this thread can continue: by the thread whose turn it is, by the
  /// scheduler between turns, or by the JDK's own thread that hands over monitors.
  @Override
  public void execute(Runnable next) {
    turn = next;
    scheduler.accept(this);
  }

  /// Runs this thread until it stops.
  void takeTurn() {
    Objects.requireNonNull(turn, "turn").run();
  }

  @Override
  public String toString() {
    return number + " " + thread.getName();
  }
}
