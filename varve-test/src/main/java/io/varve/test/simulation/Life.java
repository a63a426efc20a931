package io.varve.test.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreClosedException;
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

  /// In one life of so many, one thread makes weak commits all the time.
  private static final int STORM_SHARE = 8;

  private static final String STORM = "storm";
  private static final long STORM_NANOS_MAX = 2_000_000_000L;
  private static final int STORM_PAUSE_NANOS_MAX = 400_000;

  /// One close in so many is made by a function that a call of the store calls.
  private static final int CLOSED_WITHIN_SHARE = 4;

  /// How long a store whose disk has capacity again may need to notice, and then some: it tries a
  /// checkpoint again every 200 ms.
  private static final long CAPACITY_NANOS = 2_000_000_000L;

  /// How long a store may take to free the space of what was deleted.
  private static final int COMPACTION_SECONDS_MAX = 10;

  /// Within which every stage completes after a close.
  private static final int STAGES_MILLIS_MAX = 1_000;

  private final Store store;
  private final Machine machine;
  private final Faults faults;
  private final SplittableRandom random;
  private final Calls calls;
  private final Timeline timeline;
  private final Promises promises;
  private final @Nullable ItemHistory items;
  private final Sizes sizes;
  private final Budgets budgets;

  /// @param items null if there are none
  Life(
      OpenedStore opened,
      Machine machine,
      Timeline timeline,
      Promises promises,
      @Nullable ItemHistory items,
      Sizes sizes) {
    this.store = opened.store();
    this.budgets = opened.budgets();
    this.sizes = sizes;
    this.machine = machine;
    this.faults = machine.faults();
    this.random = machine.random();
    this.timeline = timeline;
    this.promises = promises;
    this.items = items;
    this.calls = new Calls(opened, sizes, machine, timeline, promises);
  }

  /// How many commits there were.
  long commits() {
    return calls.commits();
  }

  /// Lets threads use the store, and ends it.
  ///
  /// @param name of this life, which starts every value
  /// @param loads whether it begins with loading what is there in bulk
  void run(SimulationOptions options, String name, boolean loads) {
    machine
        .threads()
        .observer(thread -> {
          calls.look(thread);
          budgets.requireDisk();
        });
    machine.threads().stopAtAccesses(true);
    try {
      use(options, name, loads);
    } finally {
      machine.threads().stopAtAccesses(false);
    }
  }

  private void use(SimulationOptions options, String name, boolean loads) {
    boolean cutsInCall = faults.kind() == FaultKind.POWER && random.nextBoolean();
    if (cutsInCall) {
      machine.cutPowerWithin(1 << random.nextInt(CUT_CALLS_LOG2_MAX));
    }
    List<Thread> actors = new ArrayList<>();
    var turns = new ItemTurns(machine.threads());
    for (int i = 1 + random.nextInt(options.threadsMax()); i > 0; i--) {
      var choices = new Choices(random.split(), name + "." + i + ".", sizes);
      int steps = 1 + random.nextInt(options.stepsMax());
      var itemSteps = items == null ? null : new Items(calls, choices, items, turns);
      var bulk = sizes.bulkBytes() == 0 ? null : new Bulk(calls, choices, sizes);
      var actor =
          new Actor(
              calls, choices, machine, new Actor.Role(i, steps, itemSteps, bulk, loads && i == 1));
      actors.add(machine.threads().start("actor-" + i, actor));
    }
    Thread storm = random.nextInt(STORM_SHARE) == 0 ? storm(name, actors) : null;
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
    if (storm != null) {
      Machine.join(storm);
    }
    end(name);
  }

  /// A thread that makes weak commits without end while others do what they do: a strong commit of
  /// theirs must not wait for that (D5).
  private Thread storm(String name, List<Thread> actors) {
    var choices = new Choices(random.split(), name + ".storm.", sizes);
    long endNanos = machine.threads().nanoTime() + STORM_NANOS_MAX;
    return machine
        .threads()
        .start(
            "storm",
            () -> {
              while (actors.stream().anyMatch(Thread::isAlive)
                  && !calls.isOver()
                  && machine.threads().nanoTime() < endNanos) {
                putWeakly(choices);
                machine.threads().pause(choices.number(STORM_PAUSE_NANOS_MAX));
              }
            });
  }

  private void putWeakly(Choices choices) {
    byte[] key = choices.key();
    byte[] value = choices.label().getBytes(UTF_8);
    try {
      Space space = calls.call("space", Effect.NONE, () -> store.space(STORM)).result();
      calls.commit(
          "put weakly",
          Durability.BACKGROUND,
          _ -> List.of(new Change.Put(STORM, key, value)),
          () -> space.with(Durability.BACKGROUND).put(key, value));
    } catch (CallRefusedException _) {
      // as it may
    }
  }

  /// Ends all threads together, at some time.
  private void die(Crash how) {
    machine.threads().pause(random.nextLong(1L << (14 + random.nextInt(14))));
    machine.threads().abandonOthers();
    calls.stages().requireRight();
    if (faults.isQuiet()) {
      promises.age(machine.threads().nanoTime(), store.options().log().flushInterval().toNanos());
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
    if (!calls.isOver() && faults.kind() == FaultKind.FULL && !budgets.hasQuota()) {
      requireContinues(name);
    }
    if (!calls.isOver() && !faults.mayInject() && random.nextInt(3) == 0) {
      // The space of what was deleted just before is freed by the thread that compacts, later.
      for (int i = 0; i < COMPACTION_SECONDS_MAX && !Soundness.isShort(store); i++) {
        machine.threads().pause(1_000_000_000L);
      }
      Soundness.require(store, budgets);
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
    if (!calls.isOver() && random.nextInt(CLOSED_WITHIN_SHARE) == 0) {
      closeWithin();
    }
    machine.close(store);
    // A close does not wait for the thread that completes stages, which may be the one that closes.
    // Where threads stop at accesses, that thread stops as well, some milliseconds each time.
    for (int i = 0; i < STAGES_MILLIS_MAX && !calls.stages().areDone(); i++) {
      machine.threads().pause(1_000_000);
    }
    calls.stages().requireDone();
  }

  /// Closes the store in a call of it, which must end. If it committed all the same, the next open
  /// finds what no commit is known to have made.
  private void closeWithin() {
    String name = Choices.SPACES.getFirst();
    var entries = timeline.now().entries(name);
    if (entries.isEmpty()) {
      return; // no function would be called
    }
    byte[] key = entries.firstKey();
    try {
      Space space = store.space(name);
      switch (random.nextInt(4)) {
        case 0 ->
            store.transact(transaction -> {
              transaction.put(space, key, key);
              machine.close(store);
            });
        case 1 ->
            space.merge(
                key,
                key,
                (_, value) -> {
                  machine.close(store);
                  return value;
                });
        case 2 ->
            space.get(
                key,
                _ -> {
                  machine.close(store);
                  return true;
                });
        default -> space.scan(Range.all()).forEach(_ -> machine.close(store));
      }
    } catch (StoreClosedException _) {
      // as documented
    } catch (VarveException e) {
      if (!faults.explain(e, machine.disk())) {
        throw new AssertionError("close within a call: fault=" + faults.kind(), e);
      }
    }
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

  /// There is capacity again: the store must take commits.
  private void requireContinues(String name) {
    machine.threads().pause(CAPACITY_NANOS);
    var choices = new Choices(random.split(), name + ".after.", sizes);
    String space = choices.space();
    byte[] key = choices.key();
    byte[] value = choices.value();
    calls.call("space", Effect.NONE, () -> store.space(space));
    calls.commit(
        "put after full",
        Durability.POWER_LOSS,
        _ -> List.of(new Change.Put(space, key, value)),
        () -> store.space(space).with(Durability.POWER_LOSS).put(key, value));
  }
}
