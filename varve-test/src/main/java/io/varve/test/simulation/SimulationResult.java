package io.varve.test.simulation;

/// What happened in a history that showed no fault of the store.
///
/// @param digest equal for equal histories, and almost surely different for different ones
/// @param turns how often a thread was given its turn
/// @param simulatedNanos the time that passed in it
/// @param commits commits applied
/// @param crashes how often the power was cut or the process died
/// @param opens how often the store was opened, or refused to
/// @param diskCalls calls that changed the disk
public record SimulationResult(
    long digest,
    long turns,
    long simulatedNanos,
    long commits,
    int crashes,
    int opens,
    long diskCalls) {
  /// For another copy of this class.
  long[] toLongs() {
    return new long[] {digest, turns, simulatedNanos, commits, crashes, opens, diskCalls};
  }

  static SimulationResult of(long[] longs) {
    return new SimulationResult(
        longs[0], longs[1], longs[2], longs[3], (int) longs[4], (int) longs[5], longs[6]);
  }
}
