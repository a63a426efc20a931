package io.varve.test.simulation;

import org.jspecify.annotations.Nullable;

/// One thread that uses a store, in random steps, until it has had enough or the store is at its
/// end.
final class Actor implements Runnable {
  /// Steps after the store has failed: they must be refused.
  private static final int STEPS_AFTER_END_MAX = 3;

  /// One step in so many is interleaved with others as closely as woven code lets it.
  private static final int CLOSELY_SHARE = 4;

  /// The same where threads meet at a few keys.
  private static final int CLOSELY_CONTENDED_SHARE = 2;

  private final Calls calls;
  private final Choices choices;
  private final int steps;
  private final Writes writes;
  private final Reads reads;
  private final Transactions transactions;
  private final Snapshots snapshots;
  private final Upkeep upkeep;
  private final OwnSpaces collections;
  private final ExactReads ownReads;
  private final Indexes indexes;
  private final Watches watches;
  private final Misuse misuse;
  private final @Nullable Items items;
  private final @Nullable Bulk bulk;
  private final boolean loads;

  /// What one actor has to do.
  ///
  /// @param number of it among the actors
  /// @param items null if it uses none
  /// @param bulk null if there is none
  /// @param loads whether it begins with loading that
  record Role(int number, int steps, @Nullable Items items, @Nullable Bulk bulk, boolean loads) {}

  Actor(Calls calls, Choices choices, Machine machine, Role role) {
    this.calls = calls;
    this.choices = choices;
    this.steps = role.steps();
    this.writes = new Writes(calls, choices);
    this.reads = new Reads(calls, choices);
    this.transactions = new Transactions(calls, choices);
    this.snapshots = new Snapshots(calls, choices);
    this.upkeep = new Upkeep(calls, choices, machine);
    this.collections = new OwnSpaces(calls, choices, role.number());
    this.ownReads = new ExactReads(calls, choices, role.number());
    this.indexes = new Indexes(calls, choices, role.number());
    this.watches = new Watches(calls, choices, role.number());
    this.misuse = new Misuse(calls, choices, machine, role.number());
    this.items = role.items();
    this.bulk = role.bulk();
    this.loads = role.loads();
  }

  @Override
  public void run() {
    if (bulk != null && loads) {
      attempt(bulk::load);
    }
    int stepsAfterEnd = 0;
    for (int i = 0; i < steps && stepsAfterEnd < STEPS_AFTER_END_MAX; i++) {
      boolean interrupted = choices.oneIn(25);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      if (choices.oneIn(choices.isContended() ? CLOSELY_CONTENDED_SHARE : CLOSELY_SHARE)) {
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
    if (bulk != null && choices.oneIn(3)) {
      bulk.step();
      return;
    }
    if (choices.isContended() && choices.oneIn(2)) {
      stepAtFewKeys();
      return;
    }
    switch (choices.number(19)) {
      case 12, 13 -> collections.step();
      case 14, 15 -> ownReads.step();
      case 16 -> misuse.step();
      case 17 -> indexes.step();
      case 18 -> watches.step();
      case 0, 1, 2, 3, 4 -> writes.step();
      case 5, 6 -> reads.step();
      case 7, 8 -> transactions.step();
      case 9 -> snapshots.step();
      case 10 -> upkeep.step();
      default -> calls.threads().giveTurn();
    }
  }

  /// What races most with others: changes and reads of the same leaf, and checkpoints.
  private void stepAtFewKeys() {
    switch (choices.number(10)) {
      case 0, 1, 2, 3 -> writes.changeWeakly();
      case 4 -> upkeep.checkpoint();
      default -> reads.get();
    }
  }
}
