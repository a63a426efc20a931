package io.varve.internal.wal.format;

/// A segment that an open found.
///
/// @param name of its file
public record FoundSegment(String name, long fileBytes, SegmentHeader header) {
  public boolean holds(long lsn) {
    return header.firstLsn() <= lsn && lsn < header.endLsn();
  }

  /// Where the bytes of log end that the file has so far.
  public long filledLsn() {
    return Math.min(
        header.endLsn(), header.firstLsn() + Math.max(0, fileBytes - SegmentHeader.BYTES));
  }
}
