package io.varve.grid.cluster;

import java.util.ArrayList;
import java.util.List;

/// What clients have asked and were answered, in any order.
final class History {
  private final List<Operation> operations = new ArrayList<>();

  synchronized void add(Operation operation) {
    operations.add(operation);
  }

  /// What is there now.
  synchronized List<Operation> operations() {
    return List.copyOf(operations);
  }

  /// How many calls were answered.
  synchronized long acknowledgedCount() {
    return operations.stream().filter(Operation::isAcknowledged).count();
  }

  /// How many writes have failed.
  synchronized long failedCount() {
    return operations.stream().filter(operation -> !operation.isAcknowledged()).count();
  }
}
