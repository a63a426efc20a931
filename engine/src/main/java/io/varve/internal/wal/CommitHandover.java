package io.varve.internal.wal;

import io.varve.internal.wal.format.RecordSource;

/// Hands the commits of a replay to its consumer, up to a limit. Used by one thread.
final class CommitHandover {
  private final CommitConsumer consumer;

  /// Commits that end after this are not handed over.
  private long limitLsn;

  private boolean isAtLimit;
  private int generation;

  CommitHandover(CommitConsumer consumer, long limitLsn) {
    this.consumer = consumer;
    this.limitLsn = limitLsn;
  }

  /// Hands over a commit.
  ///
  /// @return false if it ends after the limit; then it was not handed over
  boolean hand(int commitGeneration, long startLsn, long endLsn, RecordSource body) {
    if (endLsn > limitLsn) {
      isAtLimit = true;
      return false;
    }
    generation = commitGeneration;
    consumer.commit(startLsn, endLsn, body);
    isAtLimit = endLsn >= limitLsn;
    return true;
  }

  /// Lets the commit that is being handed over be the last.
  void stop() {
    limitLsn = 0;
  }

  /// Whether the limit was reached.
  boolean isAtLimit() {
    return isAtLimit;
  }

  /// The generation of the commit that is being handed over.
  int generation() {
    return generation;
  }
}
