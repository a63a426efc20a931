package io.varve.test.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.test.BuildFigures;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Histories of stores from seeds. `-Dvarve.seeds.first` and `-Dvarve.seeds.count` choose others.
@Tag("simulation")
class HistorySimulationTest {
  /// The contracts D1 to D5, isolation, integrity and the bound on disk space, of stores that many
  /// threads use while everything goes wrong that may.
  @Test
  void storesKeepTheirContractsInEveryHistory() {
    long first = Long.getLong("varve.seeds.first", 1);
    long count = Long.getLong("varve.seeds.count", BuildFigures.HISTORIES);
    long commits = 0;
    for (long seed = first; seed < first + count; seed++) {
      commits += Simulation.run(seed, SimulationOptions.defaults()).commits();
    }
    assertThat(commits).as("commits of all histories").isPositive();
  }

  /// In this history the disk is full when some deletes of a `retainAll` were made, each of which
  /// is a commit. What was made then passed for the effect of a call that was refused.
  @Test
  void aCallOfSeveralCommitsMayBeRefusedBetweenThem() {
    var faults = EnumSet.of(FaultKind.POWER, FaultKind.KILL, FaultKind.IO, FaultKind.FULL);
    SimulationOptions options = new SimulationOptions(faults, 120, 4);
    assertThat(Simulation.run(91_000_205, options).commits()).isPositive();
  }

  @Test
  void aSeedGivesTheSameHistory() {
    for (FaultKind kind : FaultKind.values()) {
      SimulationOptions options = SimulationOptions.defaults().faults(Set.of(kind));
      for (long seed = 1; seed <= 2; seed++) {
        SimulationResult first = Simulation.run(seed, options);
        assertThat(Simulation.run(seed, options)).as("%s, seed %d", kind, seed).isEqualTo(first);
      }
    }
  }

  @Test
  void aTraceShowsAHistoryAndDoesNotChangeIt() {
    List<String> lines = new ArrayList<>();
    SimulationOptions options =
        SimulationOptions.defaults().faults(EnumSet.of(FaultKind.POWER, FaultKind.KILL));
    SimulationResult traced = Simulation.run(6, options, lines::add);
    assertThat(Simulation.run(6, options)).isEqualTo(traced);
    assertThat(lines)
        .anyMatch(line -> line.contains("disk [WRITE"))
        .anyMatch(line -> line.contains("commit ["));
  }
}
