package io.varve.test.simulation;

import io.varve.Commit;
import io.varve.test.SimulatedDisk;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The stages that a store gave for commits, until each has reported how its commit ended. What is
/// wrong with one is kept until a step asks: an exception thrown in a stage would reach no caller.
final class Stages {
  private final SimulatedDisk disk;
  private final Faults faults;
  private final Trace trace;

  /// What each open stage is of.
  private final Map<Integer, String> open = new HashMap<>();

  private int count;
  private @Nullable AssertionError wrong;

  Stages(SimulatedDisk disk, Faults faults, Trace trace) {
    this.disk = disk;
    this.faults = faults;
    this.trace = trace;
  }

  /// Follows a stage to its end.
  ///
  /// @param lsn that it must give, or 0 if the call made no commit: then any will do
  /// @param promised is given the LSN when the stage completes with it
  void follow(String what, CompletionStage<Commit> stage, long lsn, LongConsumer promised) {
    int number = count++;
    open.put(number, what);
    var _ =
        stage.whenComplete((given, e) -> {
          trace.note("stage done", what, lsn);
          open.remove(number);
          if (e != null) {
            requireExplained(what, e);
          } else if (lsn != 0) {
            requireSame(what, given, lsn);
            promised.accept(lsn);
          }
        });
  }

  private void requireSame(String what, Commit given, long lsn) {
    if (given.lsn() != lsn) {
      note(
          new AssertionError(
              "stage gave the LSN of another commit: call=%s, found=%d, expected=%d"
                  .formatted(what, given.lsn(), lsn)));
    }
  }

  private void requireExplained(String what, Throwable given) {
    // A stage that depends on another wraps what that one failed with.
    Throwable e =
        given instanceof CompletionException && given.getCause() != null ? given.getCause() : given;
    if (!faults.explain(e, disk)) {
      note(
          new AssertionError(
              "unexpected answer of a stage: call=%s, fault=%s, machineOff=%b"
                  .formatted(what, faults.kind(), disk.isOff()),
              e));
    }
  }

  private void note(AssertionError found) {
    if (wrong == null) {
      wrong = found;
    }
  }

  /// Throws what was wrong with a stage.
  void requireRight() {
    if (wrong != null) {
      throw wrong;
    }
  }

  /// Whether every stage has completed.
  boolean areDone() {
    return open.isEmpty();
  }

  /// Requires that every stage has completed, and as it may: the store is closed.
  void requireDone() {
    requireRight();
    if (!areDone()) {
      throw new AssertionError("stages never completed: calls=" + open.values());
    }
  }
}
