package io.varve.internal.txn;

import java.util.TreeMap;

/// From which LSN on an archived log holds the images of values whose commits were not applied.
/// Checkpoints look here, and [ArchiveRecords] writes the images (K1).
///
/// Safe for threads.
public final class ValuesUnderWay {
  /// How many values are under way since each LSN. Guarded by itself.
  private final TreeMap<Long, Integer> counts = new TreeMap<>();

  /// Registers a value whose images will be in the log from an LSN on.
  ///
  /// @return ends that, when its commit has been applied or will never be
  ValueUnderWay begin(long sinceLsn) {
    synchronized (counts) {
      counts.merge(sinceLsn, 1, Integer::sum);
    }
    return () -> ended(sinceLsn);
  }

  private void ended(long sinceLsn) {
    synchronized (counts) {
      counts.computeIfPresent(sinceLsn, (_, count) -> count == 1 ? null : count - 1);
    }
  }

  /// The LSN from which the log holds the images of all values whose commits have not been applied;
  /// `Long.MAX_VALUE` if there are none. Exact while commits are shut out.
  public long oldest() {
    synchronized (counts) {
      return counts.isEmpty() ? Long.MAX_VALUE : counts.firstKey();
    }
  }
}
