package io.varve.internal.txn;

import io.varve.internal.wal.Log;

/// What an attempt to commit answers, as one number, since it is on the path of each commit: the
/// LSN where the record starts, which is not negative, or one of these reasons why nothing has
/// taken effect. All are different, so that none can be taken for another.
final class CommitOutcome {
  /// The log has no capacity now.
  static final long NO_CAPACITY = Log.NO_CAPACITY;

  /// Nothing was reserved: a page is missing, or the attempt must be made again.
  static final long NOT_RESERVED = -2;

  /// The condition is not met, or the space has other indexes now.
  static final long NOT_AS_EXPECTED = -3;

  /// The attempt would have to wait.
  static final long NOT_NOW = -4;

  /// A space that was to be dropped is gone.
  static final long DROPPED_BY_ANOTHER = -5;

  /// A transaction of another thread runs alone over a space that was to be dropped.
  static final long RESERVED_BY_ANOTHER = -6;

  /// A space that was to be dropped has an index.
  static final long INDEXED = -7;

  /// A large value that a transaction read has moved since its reads were checked.
  static final long MOVED = -8;

  private CommitOutcome() {}

  /// Whether it is an LSN, so that the commit is in the order.
  static boolean isLsn(long outcome) {
    return outcome >= 0;
  }
}
