package io.varve.grid.cluster;

import java.util.ArrayList;
import java.util.List;

/// What clients have asked and were answered, in any order.
final class History {
  private final List<Operation> operations = new ArrayList<>();
  private long acknowledged;
  private long failed;

  synchronized void add(Operation operation) {
    operations.add(operation);
    switch (operation.outcome()) {
      case ACKNOWLEDGED -> acknowledged++;
      case REFUSED -> {}
      case UNKNOWN -> failed++;
    }
  }

  /// What is there now.
  synchronized List<Operation> operations() {
    return List.copyOf(operations);
  }

  /// How many calls were answered.
  synchronized long acknowledgedCount() {
    return acknowledged;
  }

  /// How many calls have failed.
  synchronized long failedCount() {
    return failed;
  }
}
