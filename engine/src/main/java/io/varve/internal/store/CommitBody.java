package io.varve.internal.store;

import io.varve.CorruptStoreException;
import io.varve.internal.txn.LogRecord;
import io.varve.internal.wal.format.RecordSource;

/// Reads the content of a commit of the log, for all that reads logs.
final class CommitBody {
  private CommitBody() {}

  /// Reads the body of a commit.
  ///
  /// @throws CorruptStoreException if no commit has such a body
  static void read(String log, long startLsn, RecordSource body, LogRecord.Visitor visitor) {
    try {
      LogRecord.read(body, visitor);
    } catch (IndexOutOfBoundsException | IllegalStateException e) {
      throw new CorruptStoreException(
          "log record makes no sense though its checksum is right: file="
              + log
              + ", lsn="
              + startLsn
              + "; restore this store from a backup",
          e);
    }
  }
}
