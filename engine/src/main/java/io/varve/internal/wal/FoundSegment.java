package io.varve.internal.wal;

/// A segment that an open found.
///
/// @param name of its file
record FoundSegment(String name, long fileBytes, SegmentHeader header) {
  boolean holds(long lsn) {
    return header.firstLsn() <= lsn && lsn < header.endLsn();
  }

  /// Where the bytes of log end that the file has so far.
  long filledLsn() {
    return Math.min(
        header.endLsn(), header.firstLsn() + Math.max(0, fileBytes - SegmentHeader.BYTES));
  }
}
