package io.varve.grid.cluster;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// Checks whether what clients were answered is what a cluster has promised them.
///
/// A read may find the write that was acknowledged last before it began, or one that was under way
/// since then: the promise of a register whose writes may be seen before they are acknowledged. So
///
/// 1. nothing that was acknowledged is lost: an absent value needs a removal,
/// 2. nothing comes back that an acknowledged write has replaced or removed,
/// 3. no value is found that its writer did not write, or that was reported as not written.
///
/// A write of unknown outcome may take effect at any time after its start, or never. A read that
/// finds one after a later write that was acknowledged breaks no promise, but is counted: clients
/// notice.
final class HistoryChecker {
  /// What a read found, and may not have found.
  ///
  /// @param floor the write that was acknowledged last before the read began; null if there is none
  record Violation(
      Fault fault, Operation read, @org.jspecify.annotations.Nullable Operation floor) {}

  enum Fault {
    /// There is nothing, though a put was acknowledged.
    LOST,
    /// What is there was replaced or removed by a write that was acknowledged.
    CAME_BACK,
    /// What is there was written by no client, or is found before it was written.
    FOREIGN
  }

  /// @param reads how many were checked
  /// @param acknowledged how many writes were acknowledged
  /// @param unknown how many writes have an unknown outcome
  /// @param late how many reads found a write of unknown outcome after one that was acknowledged
  ///   later
  record Verdict(
      long reads, long acknowledged, long unknown, long late, List<Violation> violations) {
    /// How many reads found a fault of one kind.
    long count(Fault fault) {
      return violations.stream().filter(violation -> violation.fault() == fault).count();
    }
  }

  private final List<Violation> violations = new ArrayList<>();
  private long reads;
  private long acknowledged;
  private long unknown;
  private long late;

  private HistoryChecker() {}

  /// Checks a history whose operations come in any order.
  static Verdict check(List<Operation> history) {
    var checker = new HistoryChecker();
    history.stream()
        .collect(groupingBy(Operation::key, TreeMap::new, java.util.stream.Collectors.toList()))
        .values()
        .forEach(checker::checkKey);
    return new Verdict(
        checker.reads, checker.acknowledged, checker.unknown, checker.late, checker.violations);
  }

  private void checkKey(List<Operation> operations) {
    List<Operation> writes =
        operations.stream()
            .filter(operation -> operation.kind() != Operation.Kind.READ)
            .sorted(Comparator.comparingLong(Operation::version))
            .toList();
    for (int i = 0; i < writes.size(); i++) {
      if (writes.get(i).version() != i + 1) {
        throw new IllegalArgumentException("writes of a key are not numbered: " + writes.get(i));
      }
    }
    long acknowledgedHere = writes.stream().filter(Operation::isAcknowledged).count();
    acknowledged += acknowledgedHere;
    unknown += writes.stream().filter(HistoryChecker::isUnknown).count();
    for (Operation operation : operations) {
      if (operation.kind() == Operation.Kind.READ && operation.isAcknowledged()) {
        reads++;
        checkRead(operation, writes);
      }
    }
  }

  private void checkRead(Operation read, List<Operation> writes) {
    int floor = floor(read, writes);
    Operation last = floor < 0 ? null : writes.get(floor);
    if (read.version() == Operation.ABSENT) {
      if (last == null || last.kind() == Operation.Kind.REMOVE) {
        return;
      }
      if (mayHaveRemoved(read, writes.subList(floor + 1, writes.size()))) {
        return;
      }
      if (writes.subList(0, floor).stream().anyMatch(HistoryChecker::isUnknownRemoval)) {
        late++;
      } else {
        violations.add(new Violation(Fault.LOST, read, last));
      }
      return;
    }
    if (read.version() < 1 || read.version() > writes.size()) {
      violations.add(new Violation(Fault.FOREIGN, read, last));
      return;
    }
    int index = Math.toIntExact(read.version() - 1);
    Operation found = writes.get(index);
    if (found.kind() != Operation.Kind.PUT
        || found.outcome() == Operation.Outcome.REFUSED
        || found.startNanos() > read.endNanos()) {
      violations.add(new Violation(Fault.FOREIGN, read, last));
    } else if (index < floor) {
      if (found.isAcknowledged()) {
        violations.add(new Violation(Fault.CAME_BACK, read, last));
      } else {
        late++;
      }
    }
  }

  /// The index of the last write that was acknowledged before a read began, or -1.
  private static int floor(Operation read, List<Operation> writes) {
    // Writes of a key follow each other: after one that began after the read, all did.
    int low = 0;
    int high = writes.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (writes.get(middle).startNanos() < read.startNanos()) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    for (int i = low - 1; i >= 0; i--) {
      Operation write = writes.get(i);
      if (write.isAcknowledged() && write.endNanos() < read.startNanos()) {
        return i;
      }
    }
    return -1;
  }

  private static boolean mayHaveRemoved(Operation read, List<Operation> writes) {
    for (Operation write : writes) {
      if (write.startNanos() > read.endNanos()) {
        return false;
      }
      if (write.kind() == Operation.Kind.REMOVE && write.outcome() != Operation.Outcome.REFUSED) {
        return true;
      }
    }
    return false;
  }

  private static boolean isUnknownRemoval(Operation write) {
    return write.kind() == Operation.Kind.REMOVE && isUnknown(write);
  }

  private static boolean isUnknown(Operation write) {
    return write.outcome() == Operation.Outcome.UNKNOWN;
  }
}
