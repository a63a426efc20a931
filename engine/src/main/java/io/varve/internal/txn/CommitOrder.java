package io.varve.internal.txn;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// How far the commits of a store have come, and how many there were.
///
/// Commits note what they do inside the gate, so that the thread that shuts it knows the last of
/// them.
public final class CommitOrder {
  private final LongAdder commits = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final AtomicLong lastCommit = new AtomicLong();

  /// Whether a commit was applied since the current epoch began. Set inside the gate before the
  /// commit looks at the live epochs; cleared while the gate is shut.
  private volatile boolean changedInEpoch;

  /// Of a store that has no commit yet.
  public CommitOrder() {}

  /// Commits applied since the store was opened.
  public long commits() {
    return commits.sum();
  }

  /// Commits refused since the store was opened, because what they had read was changed.
  public long conflicts() {
    return conflicts.sum();
  }

  void countConflict() {
    conflicts.increment();
  }

  /// The LSN of the newest commit applied.
  public long lastCommit() {
    return lastCommit.get();
  }

  /// Begins after what a recovery replayed.
  public void resume(long lastLsn) {
    lastCommit.set(lastLsn);
    changedInEpoch = true;
  }

  boolean changedInEpoch() {
    return changedInEpoch;
  }

  /// Notes that a new epoch begins. The gate is shut.
  void epochBegins() {
    changedInEpoch = false;
  }

  /// Notes that something will change in the current epoch. Inside the gate.
  void noteChange() {
    if (!changedInEpoch) {
      changedInEpoch = true;
    }
  }

  /// Counts a commit that was applied. Inside the gate.
  ///
  /// @param lsn where its record ends
  void applied(long lsn) {
    commits.increment();
    reached(lsn);
  }

  /// Notes how far the commits have come. Inside the gate.
  ///
  /// @param lsn where the record of a commit ends
  void reached(long lsn) {
    long last = lastCommit.get();
    while (last < lsn && !lastCommit.compareAndSet(last, lsn)) {
      last = lastCommit.get();
    }
  }
}
