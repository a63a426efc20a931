package io.varve.internal.wal;

import io.varve.CorruptStoreException;
import io.varve.internal.wal.format.SegmentHeader;

/// What a recovery reports of log that it cannot believe.
final class LogDamage {
  private LogDamage() {}

  /// A frame is damaged that was durable.
  ///
  /// @param file for the message
  /// @param intactLsn where the log ends that is intact
  static CorruptStoreException of(
      String what, String file, SegmentHeader header, long lsn, long intactLsn) {
    return new CorruptStoreException(
        what
            + ": file="
            + file
            + ", offset="
            + header.offset(lsn)
            + ", lsn="
            + lsn
            + ", intactLsn="
            + intactLsn
            + ", generation="
            + header.generation()
            + "; later records vouch that it was durable: restore from a backup, or salvage");
  }

  /// A frame checks that the store's key does not open.
  static CorruptStoreException changed(String file, SegmentHeader header, long lsn) {
    return new CorruptStoreException(
        "log record is not what was encrypted: file="
            + file
            + ", offset="
            + header.offset(lsn)
            + ", lsn="
            + lsn
            + ", generation="
            + header.generation()
            + "; it was changed or put there by others: restore from a backup");
  }

  /// A generation ends at another LSN than the next one states.
  static CorruptStoreException hole(String directory, SegmentHeader after, long lsn) {
    return new CorruptStoreException(
        "log has a hole: directory="
            + directory
            + ", foundEndLsn="
            + lsn
            + ", statedEndLsn="
            + after.previousEndLsn()
            + ", generation="
            + after.generation()
            + "; restore from a backup, or salvage");
  }
}
