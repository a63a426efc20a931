package io.varve;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// How often an action took how long, by powers of two of nanoseconds. Immutable.
///
/// @since 1.0
public final class Histogram {
  /// Of nothing.
  public static final Histogram EMPTY = new Histogram(new long[0], 0);

  private final long[] counts;
  private final long totalNanos;

  private Histogram(long[] counts, long totalNanos) {
    this.counts = counts;
    this.totalNanos = totalNanos;
  }

  /// Makes a histogram.
  ///
  /// @param counts at index `i`, how many took `[2^i, 2^(i+1))` nanoseconds; copied
  /// @param totalNanos what all of them took together
  public static Histogram of(long[] counts, long totalNanos) {
    return new Histogram(counts.clone(), totalNanos);
  }

  /// At index `i`, how many took `[2^i, 2^(i+1))` nanoseconds. A copy.
  public long[] counts() {
    return counts.clone();
  }

  /// What all that were counted took together.
  public long totalNanos() {
    return totalNanos;
  }

  /// How many were counted.
  public long count() {
    return LongStream.of(counts).sum();
  }

  /// The time that a share of those counted did not exceed, as a power-of-two upper bound in
  /// nanoseconds; 0 if there are none, [Long#MAX_VALUE] if there is no such bound.
  ///
  /// @param share from 0 to 1: 0.99 for the 99th percentile
  public long nanos(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share=" + share + ": must be 0 to 1");
    }
    long wanted = (long) Math.ceil(count() * share);
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen > 0 && seen >= wanted) {
        return i + 1 < Long.SIZE - 1 ? 1L << (i + 1) : Long.MAX_VALUE;
      }
    }
    return 0;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Histogram histogram
        && totalNanos == histogram.totalNanos
        && Arrays.equals(counts, histogram.counts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(counts) + Long.hashCode(totalNanos);
  }

  @Override
  public String toString() {
    return "Histogram[count=" + count() + ", totalNanos=" + totalNanos + "]";
  }
}
