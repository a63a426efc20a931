package io.varve.test.simulation;

import io.varve.Durability;
import io.varve.Store;
import io.varve.VarveException;
import io.varve.test.Change;
import io.varve.test.Crash;
import io.varve.test.simulation.Calls.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// A store from its open to its end: some threads use it, and it is closed, its process dies, or
/// the power is cut.
final class Life {
  private static final int CUT_CALLS_LOG2_MAX = 10;

  /// How long a store whose disk has room again may need to notice, and then some: it tries a
  /// checkpoint anew every 200 ms.
  private static final long ROOM_NANOS = 2_000_000_000L;

  private final Store store;
  private final Machine machine;
  private final Faults faults;
  private final SplittableRandom random;
  private final Calls calls;
  private final Timeline timeline;
  private final Promises promises;
  private final @Nullable ItemHistory items;

  /// @param items null if there are none
  Life(
      Store store,
      Machine machine,
      Timeline timeline,
      Promises promises,
      @Nullable ItemHistory items) {
    this.store = store;
    this.machine = machine;
    this.faults = machine.faults();
    this.random = machine.random();
    this.timeline = timeline;
    this.promises = promises;
    this.items = items;
    this.calls =
        new Calls(
            store, machine.disk(), machine.threads(), timeline, promises, faults, machine.trace());
  }

  /// How many commits there were.
  long commits() {
    return calls.commits();
  }

  /// Lets threads use the store, and ends it.
  ///
  /// @param name of this life, which starts every value
  /// @param keyCount how many keys there are in each space, about
  void run(SimulationOptions options, String name, int keyCount) {
    machine.threads().observer(calls::look);
    machine.threads().stopAtAccesses(true);
    try {
      use(options, name, keyCount);
    } finally {
      machine.threads().stopAtAccesses(false);
    }
  }

  private void use(SimulationOptions options, String name, int keyCount) {
    boolean cutsInCall = faults.kind() == FaultKind.POWER && random.nextBoolean();
    if (cutsInCall) {
      machine.cutPowerWithin(1 << random.nextInt(CUT_CALLS_LOG2_MAX));
    }
    List<Thread> actors = new ArrayList<>();
    var turns = new ItemTurns(machine.threads());
    for (int i = 1 + random.nextInt(options.threadsMax()); i > 0; i--) {
      var choices = new Choices(random.split(), name + "." + i + ".", keyCount);
      int steps = 1 + random.nextInt(options.stepsMax());
      var itemSteps = items == null ? null : new Items(calls, choices, items, turns);
      var actor = new Actor(calls, choices, faults, steps, itemSteps);
      actors.add(machine.threads().start("actor-" + i, actor));
    }
    boolean dies =
        faults.kind() == FaultKind.KILL || (faults.kind() == FaultKind.POWER && !cutsInCall);
    if (dies) {
      die(faults.kind() == FaultKind.POWER ? Crash.POWER : Crash.PROCESS);
      return;
    }
    if (faults.kind() == FaultKind.FULL) {
      machine.threads().pause(random.nextInt(20_000_000));
      machine.fill();
      machine.threads().pause(random.nextInt(1_000_000_000));
      machine.restore();
    }
    actors.forEach(Machine::join);
    end(name);
  }

  /// Ends all threads at once, at some moment.
  private void die(Crash how) {
    machine.threads().pause(random.nextLong(1L << (14 + random.nextInt(14))));
    machine.threads().abandonOthers();
    calls.stages().requireRight();
    if (faults.isQuiet()) {
      promises.age(machine.threads().nanoTime(), store.options().flushInterval().toNanos());
    }
    machine.restart(how);
  }

  /// Closes the store in whatever state it is.
  private void end(String name) {
    machine.restore();
    if (machine.disk().isOff()) {
      close();
      machine.restart(Crash.POWER);
      return;
    }
    if (!calls.isOver() && faults.kind() == FaultKind.FULL) {
      requireGoesOn(name);
    }
    if (!calls.isOver() && !faults.mayInject() && random.nextInt(3) == 0) {
      Soundness.require(store);
    }
    boolean whole = !calls.isOver();
    long last = timeline.last();
    close();
    if (whole && !faults.mayInject()) {
      promises.durable(last);
    } else {
      machine.noteEnd(Crash.PROCESS);
    }
    afterwards();
  }

  private void close() {
    closeBroken(store, machine);
    // A close does not wait for the thread that completes stages, which may be the one that closes:
    // time goes on once that has nothing left to do.
    machine.threads().pause(1);
    calls.stages().requireDone();
  }

  /// What may still happen to the files of a store that was closed.
  private void afterwards() {
    if (faults.kind() == FaultKind.FLIP && random.nextBoolean()) {
      machine.flipBit();
    }
    if (random.nextInt(3) == 0) {
      machine.restart(Crash.POWER);
    }
  }

  /// There is room again: the store must take commits.
  private void requireGoesOn(String name) {
    machine.threads().pause(ROOM_NANOS);
    var choices = new Choices(random.split(), name + ".after.", 4);
    String space = choices.space();
    byte[] key = choices.key();
    byte[] value = choices.value();
    calls.call("space", Effect.NONE, () -> store.space(space));
    calls.commit(
        "put after full",
        Durability.POWER_LOSS,
        _ -> List.of(new Change.Put(space, key, value)),
        () -> store.space(space).put(key, value, Durability.POWER_LOSS));
  }

  /// Closes a store that failed, or whose disk did: it must let go all the same.
  static void closeBroken(Store store, Machine machine) {
    try {
      store.close();
    } catch (VarveException e) {
      if (!machine.faults().explain(e, machine.disk())) {
        throw new AssertionError("close failed: fault=" + machine.faults().kind(), e);
      }
    }
  }
}
