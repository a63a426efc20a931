package io.varve.test.simulation;

import io.varve.Durability;
import io.varve.KeySource;
import io.varve.PageRetention;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.item.Item;
import io.varve.test.Crash;
import io.varve.test.LogModes;
import io.varve.test.Model;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Opens a store through whatever goes wrong meanwhile, and checks what it holds.
final class Opening {
  private static final int ATTEMPTS_MAX = 12;
  private static final KeySource KEY = KeySource.of(new byte[KeySource.KEY_BYTES]);

  private final Machine machine;
  private final SplittableRandom random;
  private final Faults faults;
  private final Timeline timeline;
  private final Promises promises;
  private final @Nullable ItemHistory items;
  private final boolean encrypted;

  /// Whether every other open compresses what it writes.
  private final boolean compressed;

  private int opens;

  Opening(
      Machine machine,
      Timeline timeline,
      Promises promises,
      @Nullable ItemHistory items,
      boolean encrypted,
      boolean compressed) {
    this.machine = machine;
    this.random = machine.random();
    this.faults = machine.faults();
    this.timeline = timeline;
    this.promises = promises;
    this.items = items;
    this.encrypted = encrypted;
    this.compressed = compressed;
  }

  /// How often a store was opened, or refused to.
  int opens() {
    return opens;
  }

  /// Opens the store.
  ///
  /// @param kind what may go wrong, while it is opened and afterwards
  /// @return null if the disk had lied and the store says so
  @Nullable Store open(FaultKind kind) {
    FaultKind next = kind;
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      machine.trace().note("open", next, machine.crash());
      faults.begin(FaultKind.NONE);
      Model twin = faults.lied() || random.nextInt(4) > 0 ? null : recoverTwice();
      faults.begin(next);
      arm();
      opens++;
      try {
        machine.threads().stopAtAccesses(true);
        Store store = attempt();
        machine.threads().stopAtAccesses(false);
        if (store != null) {
          settle(store, twin);
          return store;
        }
      } catch (VarveException | UncheckedIOException e) {
        machine.trace().note("open refused", e.getClass().getSimpleName());
        if (!faults.explain(e, machine.disk())) {
          throw new AssertionError("open failed: crash=" + machine.crash() + ", fault=" + next, e);
        }
        if (faults.lied() && !machine.disk().isOff()) {
          return null;
        }
      }
      machine.threads().stopAtAccesses(false);
      if (machine.disk().isOff()) {
        machine.restart(machine.anyCrash());
      } else {
        machine.noteEnd(Crash.PROCESS);
      }
      machine.restore();
      next = FaultKind.NONE;
    }
    throw new AssertionError("store does not open: attempts=" + ATTEMPTS_MAX);
  }

  private void arm() {
    if (faults.kind() == FaultKind.POWER && random.nextInt(3) == 0) {
      machine.cutPowerWithin(1 << random.nextInt(9));
    }
    if (faults.kind() == FaultKind.FULL && random.nextInt(3) == 0) {
      machine.fill();
    }
  }

  /// Opens the store on a thread of its own, so that its process may die meanwhile.
  ///
  /// @return null if it did
  private @Nullable Store attempt() {
    Store[] opened = new Store[1];
    VarveException[] refused = new VarveException[1];
    StoreOptions options = options();
    SimulatedDisk disk = machine.disk();
    Thread opener =
        machine
            .threads()
            .start(
                "opener",
                () -> {
                  try {
                    opened[0] =
                        machine
                            .planted()
                            .store(SimulatedStore.open(disk, machine.threads(), options));
                  } catch (VarveException e) {
                    refused[0] = e;
                  }
                });
    if (faults.kind() == FaultKind.KILL && random.nextInt(3) == 0) {
      machine.threads().pause(random.nextLong(1L << (14 + random.nextInt(10))));
      if (opener.isAlive()) {
        machine.threads().abandonOthers();
        disk.turnOff();
        return null;
      }
    }
    Machine.join(opener);
    if (refused[0] != null) {
      throw refused[0];
    }
    return opened[0];
  }

  /// Small options, so that a short history meets what a long one would: splits, loads, checkpoints
  /// and full logs.
  private StoreOptions options() {
    Durability[] durabilities = {
      Durability.POWER_LOSS, Durability.PROCESS_CRASH, Durability.BACKGROUND
    };
    PageRetention[] retentions = PageRetention.values();
    StoreOptions options =
        StoreOptions.defaults()
            .pageRetention(retentions[random.nextInt(retentions.length)])
            .durability(durabilities[random.nextInt(durabilities.length)])
            .pageBytes(1024 << (random.nextInt(4) == 0 ? random.nextInt(4) : 0))
            .cacheBytes(1 << 20)
            .logBufferBytes(1 << 16)
            .logSegmentBytes(1 << 18)
            .logBytesMax(1 << 20)
            .flushInterval(Duration.ofMillis(1 + random.nextInt(30)))
            .checkpointInterval(Duration.ofMillis(random.nextBoolean() ? 60_000 : 10));
    if (random.nextBoolean()) {
      options = LogModes.random(random, options);
    }
    if (compressed && opens % 2 == 0) {
      options = options.compression("deflate");
    }
    return encrypted ? options.encryption(KEY) : options;
  }

  /// Recovers a copy of the disk, closes it and opens it again: nothing may change.
  private Model recoverTwice() {
    SimulatedDisk copy = machine.disk().copy();
    Model first = recover(copy);
    first.requireEqual(recover(copy), "recovered, closed and opened again");
    return first;
  }

  private Model recover(SimulatedDisk copy) {
    try (Store store = SimulatedStore.open(copy, machine.threads(), options())) {
      Model content = Model.of(store);
      store.verify().requireSound();
      return content;
    }
  }

  /// Checks what a store holds that was just opened; from now on all of that must survive.
  ///
  /// @param twin what another recovery of the same disk gave, or null
  private void settle(Store store, @Nullable Model twin) {
    Model recovered;
    try {
      recovered = Model.of(store);
    } catch (VarveException | UncheckedIOException e) {
      Life.closeBroken(store, machine);
      throw e;
    }
    long namedLsn = store.lastCommit();
    long leastLsn = faults.lied() ? Timeline.START : promises.leastLsn(machine.crash());
    long lsn =
        timeline.find(items == null ? recovered : Items.besides(recovered), leastLsn, namedLsn);
    if (twin != null && !faults.lied()) {
      twin.requireEqual(recovered, "recovered once more from the same disk");
    }
    machine.trace().note("settled", lsn, recovered.digest());
    timeline.rollBackTo(lsn);
    promises.settle(lsn);
    machine.noteWhole();
    if (items != null) {
      settle(items, store, namedLsn);
    }
  }

  /// Checks what items a store holds. To find them may change the store: so it is known by now
  /// which of its commits there are.
  private void settle(ItemHistory history, Store store, long namedLsn) {
    history.recovered(namedLsn);
    NavigableSet<Item> found;
    try {
      found = Items.of(store);
    } catch (VarveException | UncheckedIOException e) {
      Life.closeBroken(store, machine);
      throw e;
    }
    machine.trace().note("settled items", found.size());
    history.settle(found);
  }
}
