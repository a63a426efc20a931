package io.varve.bench.measure;

import org.HdrHistogram.Histogram;

/// What a cell measured.
///
/// @param operations operations that ended within the time measured
/// @param nanos the time measured
/// @param latencies of operations that ended then, and of those still under way at its end
public record CellResult(long operations, long nanos, Histogram latencies) {
  /// Operations per second.
  public double rate() {
    return operations * 1e9 / nanos;
  }

  /// The latency, in microseconds, that `percent` of the operations kept.
  public double micros(double percent) {
    return latencies.getValueAtPercentile(percent) / 1e3;
  }
}
