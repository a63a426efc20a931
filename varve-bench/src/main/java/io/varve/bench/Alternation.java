package io.varve.bench;

import io.varve.bench.engine.EngineType;
import io.varve.bench.measure.ScratchDirectory;
import io.varve.bench.table.Plan;
import io.varve.bench.table.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// Runs every engine once per trial, in fresh order each time, so that a slow spell of the machine
/// meets all alike.
record Alternation(Table table, Plan plan, ScratchDirectory data, String heap, Class<?> main) {
  /// The same orders in every run, so that a run can be repeated.
  private static final long ORDER_SEED = 20_130;

  void run(List<EngineType> types, int trials, Report report) {
    var random = new Random(ORDER_SEED);
    List<EngineType> order = new ArrayList<>(types);
    for (int trial = 1; trial <= trials; trial++) {
      Collections.shuffle(order, random);
      for (EngineType type : order) {
        long begin = System.nanoTime();
        String failure = trial(type, report);
        Duration time = Duration.ofNanos(System.nanoTime() - begin);
        report.progress(trial, trials, type, time, failure);
      }
    }
  }

  /// @return what failed, or nothing
  private String trial(EngineType type, Report report) {
    try (ScratchDirectory directory = data.inner(type.label())) {
      var child = new ChildJvm(heap, main, report::row);
      long acknowledged = 0;
      for (int stage = 0; stage < table.stages().size(); stage++) {
        acknowledged = child.run(table, stage, type, plan, directory, acknowledged);
      }
      return "";
    } catch (ChildJvm.FailedException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
