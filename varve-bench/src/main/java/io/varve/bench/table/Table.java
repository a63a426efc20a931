package io.varve.bench.table;

import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Engines;
import io.varve.bench.engine.Promise;
import java.util.List;
import java.util.Optional;

/// A table of measurements.
public interface Table {
  /// The name on the command line and in the results.
  String label();

  /// What it measures, in a sentence.
  String description();

  /// Engines that are measured if none are named.
  List<String> engines();

  /// What of that label can be measured here.
  ///
  /// @throws IllegalArgumentException if there is none
  default EngineType engine(String label) {
    return Engines.named(label);
  }

  /// What is measured if nothing else is said.
  Plan plan();

  /// The promises that commits of an engine make under `plan`.
  List<Promise> promises(Plan plan, EngineType type);

  /// Why the engine, or part of it, is left out, if so.
  Optional<String> leavesOut(EngineType type);

  /// Whether the engine has any row here.
  boolean measures(EngineType type);

  /// Figures that others have published for the like of it, one line each, to read beside ours.
  default List<String> published() {
    return List.of();
  }

  /// Measures one engine once: what each of its JVMs does, one after the other in one directory.
  List<Stage> stages();

  /// What one JVM does.
  @FunctionalInterface
  interface Stage {
    /// Runs, and gives figures.
    void run(TableRun run);
  }
}
