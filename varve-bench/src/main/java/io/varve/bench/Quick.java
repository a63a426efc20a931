package io.varve.bench;

import io.varve.bench.measure.Timing;
import io.varve.bench.table.Plan;
import java.util.List;

/// The plan of a smoke run.
final class Quick {
  private static final int SIZE_DIVISOR = 100;

  private Quick() {}

  static Plan of(Plan plan) {
    return new Plan(
        firstTwo(plan.threads()),
        firstTwo(plan.batches()),
        Timing.seconds(0.05, 0.1),
        Math.max(1, plan.size() / SIZE_DIVISOR),
        plan.cacheBytes(),
        plan.promise());
  }

  private static List<Integer> firstTwo(List<Integer> numbers) {
    return numbers.subList(0, Math.min(2, numbers.size()));
  }
}
