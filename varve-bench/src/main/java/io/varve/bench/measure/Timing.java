package io.varve.bench.measure;

/// How long a cell takes.
///
/// @param warmUpNanos before anything counts
/// @param measuredNanos that count
public record Timing(long warmUpNanos, long measuredNanos) {
  /// A timing in seconds.
  public static Timing seconds(double warmUp, double measured) {
    return new Timing((long) (warmUp * 1e9), (long) (measured * 1e9));
  }
}
