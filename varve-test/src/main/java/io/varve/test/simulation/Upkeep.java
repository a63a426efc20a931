package io.varve.test.simulation;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Statistics;
import io.varve.TransactionBody;
import io.varve.Verification;
import io.varve.admin.BackupPoint;
import io.varve.test.Change;
import io.varve.test.simulation.Calls.Done;
import io.varve.test.simulation.Calls.Effect;
import java.util.Arrays;
import java.util.List;

/// Steps that look after the store as a whole.
final class Upkeep {
  private static final long SHORT_NANOS_MAX = 1_000_000;
  private static final long LONG_NANOS_MAX = 3_000_000_000L;

  private final Calls calls;
  private final Choices choices;
  private final Machine machine;
  private final Faults faults;

  Upkeep(Calls calls, Choices choices, Machine machine) {
    this.calls = calls;
    this.choices = choices;
    this.machine = machine;
    this.faults = machine.faults();
  }

  void step() {
    switch (choices.number(20)) {
      case 16 -> look();
      case 17 -> verifySnapshot();
      case 18 -> backup();
      case 19 -> compute();
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
    Commit last = calls.call("lastCommit", Effect.NONE, () -> calls.store().lastCommit()).result();
    calls.call(
        "awaitDurable",
        Effect.NONE,
        () -> {
          calls.store().awaitDurable(last);
          return true;
        });
    calls.promises().durable(last.lsn());
  }

  void checkpoint() {
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
    requireSound(done.result());
  }

  /// What takes a listener, and is interrupted by nothing.
  private void verifySnapshot() {
    Done<Verification> done =
        calls.call(
            "verify snapshot",
            Effect.NONE,
            () -> {
              try (Snapshot snapshot = calls.store().snapshot()) {
                return choices.oneIn(3)
                    ? calls.store().verify((_, _) -> calls.threads().giveTurn())
                    : calls.store().verify(snapshot, (_, _) -> calls.threads().giveTurn());
              }
            });
    requireSound(done.result());
  }

  /// Asks for what the store reports of itself.
  private void look() {
    calls.call(
        "look",
        Effect.NONE,
        () -> {
          if (calls.store().options().cacheBytes() <= 0
              || calls.store().spaceNames().contains("")) {
            throw new AssertionError("store reports options or names that were not given");
          }
          return true;
        });
  }

  /// A transaction with the durability of the store, or one that gives a result.
  private void compute() {
    String name = choices.space();
    Space space = calls.call("space", Effect.NONE, () -> calls.store().space(name)).result();
    byte[] key = choices.key();
    byte[] value = choices.value();
    Effect effect = _ -> List.of(new Change.Put(name, key, value));
    if (choices.oneIn(2)) {
      calls.commit(
          "transact by default",
          calls.store().options().durability(),
          effect,
          () -> calls.store().transact(transaction -> transaction.put(space, key, value)));
      return;
    }
    TransactionBody<Boolean, RuntimeException> body =
        transaction -> {
          transaction.put(space, key, value);
          return Arrays.equals(transaction.get(space, key), value);
        };
    boolean byDefault = (Arrays.hashCode(key) & 1) == 0;
    Done<Boolean> done =
        calls.call(
            "transactAndGet",
            effect,
            () ->
                byDefault
                    ? calls.store().transactAndGet(body)
                    : calls.store().transactAndGet(Durability.BACKGROUND, body));
    if (!done.result()) {
      throw new AssertionError("transactAndGet gives another result than its body");
    }
  }

  private void backup() {
    BackupPoint point =
        calls
            .call(
                "backup",
                Effect.NONE,
                () -> machine.backups().take(calls.engine(), choices.oneIn(4)))
            .result();
    if (point != null) {
      calls.promises().durable(point.lastCommit().lsn());
    }
  }

  private void requireSound(Verification verification) {
    if (!verification.isSound() && !faults.mayHarmReads() && !calls.isOver()) {
      throw new AssertionError("store is not sound: " + verification.problems());
    }
  }

  private void statistics() {
    Done<Statistics> done = calls.call("statistics", Effect.NONE, () -> calls.store().statistics());
    if (done.result().commits().durableLsn() > done.result().commits().lastLsn() + (1 << 20)) {
      throw new AssertionError("statistics are wrong: " + done.result());
    }
  }

  private void dropSpace(String name) {
    calls.mayDrop(name);
    calls.call(
        "dropSpace", _ -> List.of(new Change.DropSpace(name)), () -> calls.store().dropSpace(name));
  }
}
