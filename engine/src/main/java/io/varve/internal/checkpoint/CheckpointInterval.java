package io.varve.internal.checkpoint;

import io.varve.internal.disk.Clock;
import io.varve.internal.txn.Committer;

/// The time between checkpoints: one is due when it has passed with commits, and when it has passed
/// without any there is time to tidy. For the checkpoint thread alone.
public final class CheckpointInterval {
  private final Committer committer;
  private final Clock clock;
  private final long nanos;

  /// When it began.
  private long began;

  /// The last commit then, or -1 if a checkpoint is due whatever was committed.
  private long commitsThen;

  /// The last commit when an interval last passed without any.
  private long idleAt = -1;

  public CheckpointInterval(Committer committer, Clock clock, long nanos) {
    this.committer = committer;
    this.clock = clock;
    this.nanos = nanos;
  }

  /// Begins with a checkpoint of all that is committed now.
  void begin() {
    commitsThen = committer.order().lastCommit();
    began = clock.nanoTime();
  }

  private boolean hasPassed() {
    return clock.nanoTime() - began >= nanos;
  }

  private boolean hasCommits() {
    return committer.order().lastCommit() != commitsThen;
  }

  /// Whether it has passed, with something to write.
  boolean isDue() {
    return hasPassed() && hasCommits();
  }

  /// Has it end with a checkpoint, although nothing be committed.
  void expectChanges() {
    commitsThen = -1;
  }

  /// The nanoseconds until it has passed.
  long nanosLeft() {
    return Math.min(nanos, nanos - (clock.nanoTime() - began));
  }

  /// Begins the next one if it has passed without a commit.
  ///
  /// @return whether it did so for the first time since the last commit
  boolean passesIdle() {
    if (!hasPassed() || hasCommits()) {
      return false;
    }
    began = clock.nanoTime();
    boolean isFirst = idleAt != commitsThen;
    idleAt = commitsThen;
    return isFirst;
  }
}
