package io.varve.test.simulation;

import io.varve.test.SimulatedThreads;
import java.util.function.BooleanSupplier;

/// Which threads may use the items concurrently, so that their content is known: any that commit;
/// concurrently with them one that makes changes, and any that read, or one that rolls back; or one
/// that drops them, alone.
final class ItemTurns {
  private static final long PAUSE_NANOS = 20_000;

  private final SimulatedThreads threads;
  private int inside;
  private int reading;
  private boolean changing;
  private boolean rollingBack;
  private boolean alone;

  ItemTurns(SimulatedThreads threads) {
    this.threads = threads;
  }

  /// Does `work` concurrently with others: commits.
  void concurrently(Runnable work) {
    await(() -> !alone);
    inside++;
    try {
      work.run();
    } finally {
      inside--;
    }
  }

  /// Does `work` concurrently with others, none of which rolls back: reads.
  void reading(Runnable work) {
    concurrently(() -> {
      await(() -> !rollingBack);
      reading++;
      try {
        work.run();
      } finally {
        reading--;
      }
    });
  }

  /// Does `work` concurrently with others, none of which makes changes: makes some.
  void changing(Runnable work) {
    concurrently(() -> {
      await(() -> !changing);
      changing = true;
      try {
        work.run();
      } finally {
        changing = false;
      }
    });
  }

  /// Does `work` concurrently with others, all of which commit: rolls back.
  void rollingBack(Runnable work) {
    changing(() -> {
      rollingBack = true;
      try {
        await(() -> reading == 0);
        work.run();
      } finally {
        rollingBack = false;
      }
    });
  }

  /// Does `work` while no other thread uses the items: drops them.
  void alone(Runnable work) {
    await(() -> !alone);
    alone = true;
    try {
      await(() -> inside == 0);
      work.run();
    } finally {
      alone = false;
    }
  }

  private void await(BooleanSupplier free) {
    while (!free.getAsBoolean()) {
      threads.pause(PAUSE_NANOS);
    }
  }
}
