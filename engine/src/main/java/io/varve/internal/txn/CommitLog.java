package io.varve.internal.txn;

import io.varve.Durability;
import io.varve.internal.wal.Log;
import io.varve.internal.wal.RecordSink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Where commits get their place in the commit order: the log, or, in a store without one, a
/// counter.
public final class CommitLog {
  /// Set once, before the store is handed out: a log opens where its replay ends, and the replay
  /// fills the spaces whose commits come here.
  private @Nullable Log log;

  private final AtomicLong counter = new AtomicLong();

  /// Writes commits in a log from now on. Called before the store is handed out.
  public void attach(Log opened) {
    log = opened;
  }

  /// The place of a commit, or [CommitOutcome#NO_ROOM]. Waits for nothing.
  long tryReserve(long bodyBytes) {
    Log present = log;
    return present == null ? counter.getAndIncrement() : present.tryReserve(bodyBytes);
  }

  /// Whether a commit could be reserved now. Waits for nothing.
  boolean hasRoom(long bodyBytes) {
    Log present = log;
    return present == null || present.hasRoom(bodyBytes);
  }

  /// The end of the log.
  long tailLsn() {
    Log present = log;
    return present == null ? counter.get() : present.tailLsn();
  }

  long endOf(long start, long bodyBytes) {
    Log present = log;
    return present == null ? start + 1 : present.endOf(start, bodyBytes);
  }

  /// Where the body of a reserved commit goes, or null if nothing is kept.
  @Nullable RecordSink sink(long start, long bodyBytes) {
    Log present = log;
    return present == null ? null : present.sink(start, bodyBytes);
  }

  /// Waits until a reservation may succeed. Called without locks.
  void awaitRoom(long bodyBytes) {
    Log present = log;
    if (present != null) {
      present.awaitRoom(bodyBytes);
    }
  }

  /// Waits until the promise of `durability` holds for a commit.
  public void await(long commit, Durability durability) {
    Log present = log;
    if (present != null) {
      present.await(commit, durability);
    }
  }

  CompletableFuture<Void> whenDurable(long commit, Durability durability) {
    Log present = log;
    return present == null
        ? CompletableFuture.completedFuture(null)
        : present.whenDurable(commit, durability);
  }

  /// The memory of the log, where there is one.
  int ringBytes() {
    Log present = log;
    return present == null ? 0 : present.ringBytes();
  }

  /// Makes the log refuse everything: what was applied may not be what was logged.
  public void fail(Throwable cause) {
    Log present = log;
    if (present != null) {
      present.fail(cause);
    }
  }

  /// Whether there is a log, and so a choice of durability.
  boolean isDurable() {
    return log != null;
  }
}
