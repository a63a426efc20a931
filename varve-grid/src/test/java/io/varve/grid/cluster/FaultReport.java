package io.varve.grid.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.cluster.HistoryChecker.Fault;
import io.varve.grid.cluster.HistoryChecker.Verdict;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/// What clients noticed of a fault.
final class FaultReport {
  private FaultReport() {}

  /// Ends a load, and fails if a client was answered wrong.
  ///
  /// @param fault what was done to the cluster
  static void check(ClientLoad load, long seed, String fault) throws InterruptedException {
    load.stop();
    load.readAll();
    assertThat(verdict(load, seed, fault).violations()).isEmpty();
    assertThat(load.tallyFaults()).isEmpty();
  }

  /// Checks what was answered, and prints what came of it: for keys that were read wrong, all that
  /// was done to them. Each act has the time of day of its end, as in the logs of the nodes.
  private static Verdict verdict(ClientLoad load, long seed, String fault) {
    List<Operation> operations = load.history().operations();
    Verdict verdict = HistoryChecker.check(operations);
    System.out.printf(
        "%s, seed=%d, reads=%d, writes acknowledged=%d, unknown=%d, late=%d, wrong reads=%d:"
            + " lost=%d, stale=%d, foreign=%d%n",
        fault,
        seed,
        verdict.reads(),
        verdict.acknowledged(),
        verdict.unknown(),
        verdict.late(),
        verdict.violations().size(),
        verdict.count(Fault.LOST),
        verdict.count(Fault.CAME_BACK),
        verdict.count(Fault.FOREIGN));
    List<String> wrong =
        verdict.violations().stream().map(violation -> violation.read().key()).toList();
    long nowNanos = System.nanoTime();
    Instant now = Instant.now();
    operations.stream()
        .filter(operation -> wrong.contains(operation.key()))
        .sorted(Comparator.comparingLong(Operation::startNanos))
        .forEach(operation ->
            System.out.println(now.plusNanos(operation.endNanos() - nowNanos) + " " + operation));
    return verdict;
  }
}
