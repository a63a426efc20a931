package io.varve.test.mutation;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.varve.test.simulation.Simulation;
import io.varve.test.simulation.SimulationOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Simulated histories, each a test of its own: the first that fails ends the run of its mutant.
/// Only runs of mutants run it: its JVM needs the options of a simulation.
class Histories {
  // Without the seeds whose histories load a copy of the engine of their own: a mutant is not in
  // it.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 4, 5, 6, 8, 9, 10, 12, 13})
  void aHistoryKeepsItsContracts(long seed) {
    assertThatCode(() -> Simulation.run(seed, SimulationOptions.defaults()))
        .as("history of seed %d", seed)
        .doesNotThrowAnyException();
  }
}
