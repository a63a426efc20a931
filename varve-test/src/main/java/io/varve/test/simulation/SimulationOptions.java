package io.varve.test.simulation;

import java.util.EnumSet;
import java.util.Set;

/// What the histories of a simulation look like. A seed repeats its history with equal options.
///
/// @param faults what may go wrong, each time with one of these
/// @param stepsMax the most steps of each thread between an open and the next
/// @param threadsMax the most threads that use the store concurrently
public record SimulationOptions(Set<FaultKind> faults, int stepsMax, int threadsMax) {
  /// Checks the limits, and copies the set.
  public SimulationOptions {
    if (faults.isEmpty() || stepsMax < 1 || threadsMax < 1) {
      throw new IllegalArgumentException(
          "simulation option out of range: faults=%s, stepsMax=%d, threadsMax=%d"
              .formatted(faults, stepsMax, threadsMax));
    }
    faults = Set.copyOf(faults);
  }

  /// Every fault, up to 40 steps of up to 5 threads.
  public static SimulationOptions defaults() {
    return new SimulationOptions(EnumSet.allOf(FaultKind.class), 40, 5);
  }

  /// The same with other faults.
  public SimulationOptions faults(Set<FaultKind> chosen) {
    return new SimulationOptions(chosen, stepsMax, threadsMax);
  }
}
