package io.varve.internal.wal;

import io.varve.internal.wal.format.RecordSource;

/// Takes the commits that a recovery finds, in commit order.

@FunctionalInterface
public interface CommitConsumer {

  /// One commit.
  ///
  /// @param startLsn where its record starts
  /// @param endLsn its commit LSN: where its record ends
  /// @param body what was written into its [RecordSink]; valid during the call only
  void commit(long startLsn, long endLsn, RecordSource body);
}
