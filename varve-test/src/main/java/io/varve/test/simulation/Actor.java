package io.varve.test.simulation;

import org.jspecify.annotations.Nullable;

/// One thread that uses a store, in random steps, until it has had enough or the store is at its
/// end.
final class Actor implements Runnable {
  /// Steps after the store has failed: they must be refused.
  private static final int STEPS_AFTER_END_MAX = 3;

  /// One step in so many is interleaved with others as closely as woven code lets it.
  private static final int CLOSELY_SHARE = 4;

  private final Calls calls;
  private final Choices choices;
  private final int steps;
  private final Writes writes;
  private final Reads reads;
  private final Transactions transactions;
  private final Snapshots snapshots;
  private final Upkeep upkeep;
  private final @Nullable Items items;

  /// @param items null if this uses none
  Actor(Calls calls, Choices choices, Faults faults, int steps, @Nullable Items items) {
    this.calls = calls;
    this.choices = choices;
    this.steps = steps;
    this.writes = new Writes(calls, choices);
    this.reads = new Reads(calls, choices);
    this.transactions = new Transactions(calls, choices);
    this.snapshots = new Snapshots(calls, choices);
    this.upkeep = new Upkeep(calls, choices, faults);
    this.items = items;
  }

  @Override
  public void run() {
    int stepsAfterEnd = 0;
    for (int i = 0; i < steps && stepsAfterEnd < STEPS_AFTER_END_MAX; i++) {
      boolean interrupted = choices.oneIn(25);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      if (choices.oneIn(CLOSELY_SHARE)) {
        calls.threads().lookClosely();
      }
      attempt(this::step);
      if (Thread.interrupted() != interrupted) {
        throw new AssertionError("interrupt flag was lost or set: was=" + interrupted);
      }
      stepsAfterEnd += calls.isOver() ? 1 : 0;
    }
    attempt(snapshots::end);
  }

  private static void attempt(Runnable step) {
    try {
      step.run();
    } catch (CallRefusedException _) {
      // as it may; what it must not do was checked
    }
  }

  private void step() {
    if (items != null && choices.oneIn(2)) {
      items.step();
      return;
    }
    switch (choices.number(12)) {
      case 0, 1, 2, 3, 4 -> writes.step();
      case 5, 6 -> reads.step();
      case 7, 8 -> transactions.step();
      case 9 -> snapshots.step();
      case 10 -> upkeep.step();
      default -> calls.threads().giveTurn();
    }
  }
}
