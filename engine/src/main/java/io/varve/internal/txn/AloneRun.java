package io.varve.internal.txn;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A transaction that runs alone over the spaces that it has reserved.
///
/// For the thread that runs it; others only ask whose it is.
final class AloneRun implements AutoCloseable {
  private final AloneRuns runs;
  private final Thread thread = Thread.currentThread();
  private final String body;
  private final long beganNanos;
  private final Set<LiveSpace> included = new HashSet<>();
  private final List<WriteLock> reserved = new ArrayList<>();

  AloneRun(AloneRuns runs, String body, long nowNanos) {
    this.runs = runs;
    this.body = body;
    this.beganNanos = nowNanos;
  }

  @SuppressWarnings("ReferenceEquality") // threads
  boolean isOwn() {
    return thread == Thread.currentThread();
  }

  /// Reserves a space before the body runs, and waits for it. Called in the order of ids, so that
  /// no two transactions wait for each other.
  void await(LiveSpace space) {
    while (!include(space)) {
      space.writeLock().awaitFree();
    }
  }

  /// Reserves a space that the body uses for the first time.
  ///
  /// @return false if another transaction has it: a wait here could be for one that waits for this,
  ///   so the body is to run again, with this space among those reserved before
  @SuppressWarnings("ReferenceEquality") // runs
  boolean include(LiveSpace space) {
    if (included.contains(space)) {
      return true;
    }
    WriteLock lock = space.writeLock();
    reserved.add(lock); // before: a reservation that nobody knows of would never end
    AloneRun present = lock.reserve(this);
    if (present != this) {
      reserved.removeLast();
    }
    return present.isOwn() && included.add(space);
  }

  /// Facts for the message of the thread that waited without success.
  String describe(long nowNanos) {
    return "transaction="
        + body
        + ", thread="
        + thread.getName()
        + "#"
        + thread.threadId()
        + ", runsMillis="
        + (nowNanos - beganNanos) / 1_000_000;
  }

  /// Lets the others commit again.
  @Override
  public void close() {
    for (int i = 0; i < reserved.size(); i++) {
      reserved.get(i).release(this);
    }
    runs.wakeAll();
  }
}
