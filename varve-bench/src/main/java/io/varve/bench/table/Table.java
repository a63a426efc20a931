package io.varve.bench.table;

import io.varve.bench.engine.EngineType;
import io.varve.bench.engine.Promise;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// A table of measurements.
public interface Table {
  /// The name on the command line and in the results.
  String label();

  /// What it measures, in a sentence.
  String description();

  /// Engines that are measured if none are named.
  List<String> engines();

  /// What is measured if nothing else is specified.
  Plan plan();

  /// The promises that commits of an engine make under `plan`.
  List<Promise> promises(Plan plan, EngineType type);

  /// The settings of an engine under a promise.
  default String describe(EngineType type, Promise promise) {
    return type.describe(promise);
  }

  /// Why the engine, or part of it, is left out, if so.
  Optional<String> leavesOut(EngineType type);

  /// Whether the engine has any row here. By default those have that are measured if none are
  /// named.
  default boolean measures(EngineType type) {
    return engines().contains(type.label());
  }

  /// Figures that others have published for the like of it, one line each, to read next to ours.
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

    /// The collector of its JVM.
    default Collector collector() {
      return Collector.G1;
    }

    /// A stage whose JVM has a collector of its own.
    static Stage under(Collector collector, Consumer<TableRun> body) {
      return new Stage() {
        @Override
        public void run(TableRun run) {
          body.accept(run);
        }

        @Override
        public Collector collector() {
          return collector;
        }
      };
    }
  }
}
