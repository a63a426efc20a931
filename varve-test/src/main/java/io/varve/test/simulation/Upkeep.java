package io.varve.test.simulation;

import io.varve.Statistics;
import io.varve.Verification;
import io.varve.test.Change;
import io.varve.test.simulation.Calls.Done;
import io.varve.test.simulation.Calls.Effect;
import java.util.List;

/// Steps that look after the store as a whole.
final class Upkeep {
  private static final long SHORT_NANOS_MAX = 1_000_000;
  private static final long LONG_NANOS_MAX = 3_000_000_000L;

  private final Calls calls;
  private final Choices choices;
  private final Faults faults;

  Upkeep(Calls calls, Choices choices, Faults faults) {
    this.calls = calls;
    this.choices = choices;
    this.faults = faults;
  }

  void step() {
    switch (choices.number(16)) {
      case 0, 1, 2, 3 -> awaitDurable();
      case 4, 5 -> calls.durable();
      case 6, 7 -> checkpoint();
      case 8 -> compact();
      case 9 -> verify();
      case 10 -> statistics();
      case 11 -> dropSpace(choices.space());
      case 12 -> calls.threads().pause((long) (LONG_NANOS_MAX / (1.0 + choices.number(100))));
      default -> calls.threads().pause(choices.number((int) SHORT_NANOS_MAX));
    }
  }

  private void awaitDurable() {
    long lsn = calls.call("lastCommit", Effect.NONE, () -> calls.store().lastCommit()).result();
    calls.call(
        "awaitDurable",
        Effect.NONE,
        () -> {
          calls.store().awaitDurable(lsn);
          return true;
        });
    calls.promises().durable(lsn);
  }

  private void checkpoint() {
    long lsn = calls.lowLsn();
    calls.call(
        "checkpoint",
        Effect.NONE,
        () -> {
          calls.store().checkpoint();
          return true;
        });
    calls.promises().durable(lsn);
  }

  private void compact() {
    calls.call("compact", Effect.NONE, () -> calls.store().compact());
  }

  private void verify() {
    Done<Verification> done = calls.call("verify", Effect.NONE, () -> calls.store().verify());
    if (!done.result().isSound() && !faults.mayHarmReads() && !calls.isOver()) {
      throw new AssertionError("store is not sound: " + done.result().problems());
    }
  }

  private void statistics() {
    Done<Statistics> done = calls.call("statistics", Effect.NONE, () -> calls.store().statistics());
    if (done.result().durableCommit() > done.result().lastCommit() + (1 << 20)) {
      throw new AssertionError("statistics are wrong: " + done.result());
    }
  }

  private void dropSpace(String name) {
    calls.mayDrop(name);
    calls.call(
        "dropSpace", _ -> List.of(new Change.DropSpace(name)), () -> calls.store().dropSpace(name));
  }
}
