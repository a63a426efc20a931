package io.varve.internal.wal;

/// How often a time was taken, by powers of two of nanoseconds. Immutable.
public final class Histogram {
  private final long[] counts;

  /// @param counts at index `i`, how many times of `[2^i, 2^(i+1))` nanoseconds there were
  Histogram(long[] counts) {
    this.counts = counts.clone();
  }

  /// How many times were recorded.
  public long count() {
    long total = 0;
    for (long count : counts) {
      total += count;
    }
    return total;
  }

  /// The time that a share of those recorded did not exceed, as a power-of-two upper bound; 0 if
  /// there are none.
  ///
  /// @param share from 0 to 1: 0.99 for the 99th percentile
  public long nanos(double share) {
    long wanted = (long) Math.ceil(count() * share);
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen > 0 && seen >= wanted) {
        return 1L << (i + 1);
      }
    }
    return 0;
  }
}
