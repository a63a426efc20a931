package io.varve.test.simulation;

import io.varve.Commit;
import io.varve.ConflictException;
import io.varve.Durability;
import io.varve.Space;
import io.varve.Transaction;
import io.varve.test.simulation.Calls.Done;
import io.varve.test.simulation.Calls.Effect;
import java.util.ArrayList;
import java.util.List;

/// Steps that are transactions.
final class Transactions {
  private final Calls calls;
  private final Choices choices;

  Transactions(Calls calls, Choices choices) {
    this.calls = calls;
    this.choices = choices;
  }

  void step() {
    List<Space> spaces = new ArrayList<>();
    for (String name : Choices.SPACES) {
      spaces.add(calls.call("space", Effect.NONE, () -> calls.store().space(name)).result());
    }
    if (choices.oneIn(3)) {
      transact(spaces);
    } else {
      single(spaces);
    }
  }

  /// One transaction, which may end in a conflict.
  private void single(List<Space> spaces) {
    Durability durability = choices.durability();
    var body = new TransactionBody(calls, choices, spaces);
    Transaction begun = calls.call("begin", Effect.NONE, () -> calls.store().begin()).result();
    try (Transaction transaction = begun) {
      calls.call("body", Effect.NONE, () -> body.run(transaction));
      if (choices.oneIn(8)) {
        return; // closed without a commit, it has no effect
      }
      if (choices.oneIn(4)) {
        calls.commitAsync(
            "commitAsync", durability, body::effect, () -> transaction.commitAsync(durability));
      } else {
        body.requireRight(
            calls.commit("commit", durability, body::effect, () -> transaction.commit(durability)));
      }
    } catch (ConflictException e) {
      body.requireConflict(e);
    }
  }

  /// A transaction that is run again until it commits.
  private void transact(List<Space> spaces) {
    Durability durability = choices.durability();
    List<TransactionBody> runs = new ArrayList<>();
    Done<Commit> done =
        calls.commit(
            "transact",
            durability,
            before -> runs.getLast().effect(before),
            () ->
                calls
                    .store()
                    .transact(
                        durability,
                        transaction -> {
                          runs.add(new TransactionBody(calls, choices, spaces));
                          runs.getLast().run(transaction);
                        }));
    runs.getLast().requireRight(done);
  }
}
