package io.varve.internal.wal;

/// Figures of a log since it was opened.
///
/// @param records commits appended
/// @param bytes bytes appended, with padding
/// @param batches writes of the log to its segments
/// @param forces writes that were synchronous, and forces
/// @param waiters commits that waited for a force
/// @param forceNanos how many forces took a time of `[2^i, 2^(i+1))` nanoseconds, by `i`
/// @param retainedBytes log that the last released LSN does not let go
/// @param tailLsn end of the log
/// @param durableLsn end of the log that survives a loss of power
public record LogStatistics(
    long records,
    long bytes,
    long batches,
    long forces,
    long waiters,
    long[] forceNanos,
    long retainedBytes,
    long tailLsn,
    long durableLsn) {

  /// The time that a share of the forces did not exceed, as an upper power-of-two bound.
  ///
  /// @param share from 0 to 1: 0.99 for the 99th percentile
  public long forceNanos(double share) {
    long total = 0;
    for (long count : forceNanos) {
      total += count;
    }
    long wanted = (long) Math.ceil(total * share);
    long seen = 0;
    for (int i = 0; i < forceNanos.length; i++) {
      seen += forceNanos[i];
      if (seen >= wanted && seen > 0) {
        return 1L << (i + 1);
      }
    }
    return 0;
  }
}
