package io.varve.test.simulation;

import io.varve.Durability;
import io.varve.KeySource;
import io.varve.PageRetention;
import io.varve.Store;
import io.varve.StoreKeyException;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.admin.SalvageReport;
import io.varve.item.Item;
import io.varve.test.Crash;
import io.varve.test.LogModes;
import io.varve.test.Model;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Opens a store through whatever goes wrong during that, and checks what it holds.
final class Opening {
  private static final int ATTEMPTS_MAX = 12;

  /// One open in so many has a quota.
  private static final int QUOTA_SHARE = 6;

  private static final long QUOTA_BYTES_MIN = 4L << 20;
  private static final String PAGES = "pages";

  /// At one open in so many, copies of the disk are recovered and salvaged first, and a backup is
  /// restored. An archived log leads to so many states that one is restored at each open.
  private static final int TWIN_SHARE = 4;

  private static final int REKEY_SHARE = 6;
  private static final int REKEY_CALLS_MAX = 8;
  private static final KeySource KEY = KeySource.of(new byte[KeySource.KEY_BYTES]);
  private static final KeySource OTHER_KEY = KeySource.of(otherKey());

  private final Machine machine;
  private final SplittableRandom random;
  private final Faults faults;
  private final Timeline timeline;
  private final Promises promises;
  private final @Nullable ItemHistory items;
  private final Sizes sizes;
  private final Images images;

  private int opens;

  /// The key of the store, if it is encrypted.
  private KeySource key = KEY; // that is in force, or was when the disk was last looked at

  private boolean keyIsSure = true; // no loss of power brings back another

  /// How the images of the store are kept.
  ///
  /// @param compressed whether every other open compresses what it writes
  record Images(boolean encrypted, boolean compressed) {}

  Opening(
      Machine machine,
      Timeline timeline,
      Promises promises,
      @Nullable ItemHistory items,
      Sizes sizes,
      Images images) {
    this.machine = machine;
    this.random = machine.random();
    this.faults = machine.faults();
    this.timeline = timeline;
    this.promises = promises;
    this.items = items;
    this.sizes = sizes;
    this.images = images;
  }

  private static byte[] otherKey() {
    byte[] bytes = new byte[KeySource.KEY_BYTES];
    Arrays.fill(bytes, (byte) 1);
    return bytes;
  }

  /// How often a store was opened, or refused to.
  int opens() {
    return opens;
  }

  /// Opens the store.
  ///
  /// @param kind what may go wrong, while it is opened and afterwards
  /// @param mayBind whether it may have a quota
  /// @return null if the disk had lied and the store reports it
  @Nullable OpenedStore open(FaultKind kind, boolean mayBind) {
    FaultKind next = kind;
    boolean bound = mayBind && random.nextInt(QUOTA_SHARE) == 0;
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      machine.trace().note("open", next, machine.crash());
      faults.begin(FaultKind.NONE);
      Model twin = faults.lied() || random.nextInt(TWIN_SHARE) > 0 ? null : recoverTwice();
      if (!faults.lied() && (twin != null || sizes.keepsLog())) {
        machine.backups().requireRestorable(timeline, options());
      }
      if (rekey()) {
        twin = null; // which also had what no force covered
      }
      faults.begin(next);
      arm();
      opens++;
      StoreOptions options = bound ? bound(options()) : options();
      Budgets budgets = new Budgets(machine.disk(), options, faults);
      try {
        machine.threads().observer(_ -> budgets.requireDisk());
        machine.threads().stopAtAccesses(true);
        Store store = attempt(options);
        machine.threads().stopAtAccesses(false);
        if (store != null) {
          keyIsSure = true;
          budgets.requireRecovered(store.statistics());
          Store seen = machine.planted().store(store);
          settle(seen, twin);
          return new OpenedStore(seen, store, budgets);
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
      machine.threads().observer(_ -> {});
      if (machine.disk().isOff()) {
        machine.restart(machine.anyCrash());
        if (!keyIsSure) {
          findKey();
        }
      } else {
        machine.noteEnd(Crash.PROCESS);
      }
      machine.restore();
      next = FaultKind.NONE;
      bound = false;
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

  /// Opens the store on a thread of its own, so that its process may die during that.
  ///
  /// @return null if it did
  private @Nullable Store attempt(StoreOptions options) {
    Store[] opened = new Store[1];
    VarveException[] refused = new VarveException[1];
    SimulatedDisk disk = machine.disk();
    Thread opener =
        machine
            .threads()
            .start(
                "opener",
                () -> {
                  try {
                    opened[0] = SimulatedStore.open(disk, machine.threads(), options);
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
    List<PageRetention> retentions = PageRetention.builtIn();
    StoreOptions options =
        StoreOptions.defaults()
            .cache(cache -> cache.retention(retentions.get(random.nextInt(retentions.size()))))
            .durability(durabilities[random.nextInt(durabilities.length)])
            .pageBytes(1024 << (random.nextInt(4) == 0 ? random.nextInt(4) : 0))
            .log(log -> log.flushInterval(Duration.ofMillis(1 + random.nextInt(30))))
            .checkpointInterval(Duration.ofMillis(random.nextBoolean() ? 60_000 : 10));
    options = sizes.applyTo(options, random);
    if (random.nextBoolean()) {
      options = LogModes.random(random, options);
    }
    if (images.compressed() && opens % 2 == 0) {
      options = options.compression("deflate");
    }
    return images.encrypted() ? options.encryption(key) : options;
  }

  /// The options with a quota, which the store may be over already: then it is as on a full disk.
  private StoreOptions bound(StoreOptions options) {
    long freeBytes = random.nextLong(1L << (12 + random.nextInt(14)));
    long bytesMax = Math.max(QUOTA_BYTES_MIN, machine.disk().usedBytes() + freeBytes);
    machine.trace().note("quota", bytesMax);
    faults.filled();
    return options.diskBytesMax(bytesMax);
  }

  /// Recovers a copy of the disk, closes it and opens it again: nothing may change.
  private Model recoverTwice() {
    SimulatedDisk copy = machine.disk().copy();
    Model first = recover(copy);
    first.requireEqual(recover(copy), "recovered, closed and opened again");
    if (random.nextBoolean()) {
      salvage(first);
    }
    return first;
  }

  /// Salvages a copy of the disk, which is undamaged: nothing is lost.
  private void salvage(Model content) {
    SimulatedDisk copy = machine.disk().copy();
    if (!copy.fileNames().contains(PAGES)) {
      return;
    }
    SimulatedDisk target = new SimulatedDisk(random.nextLong());
    SalvageReport report = SimulatedStore.salvage(copy, target, machine.threads(), options());
    machine.trace().note("salvaged", report.losses().size());
    if (!report.losses().isEmpty()) {
      throw new AssertionError("salvage of an undamaged store reports losses: " + report.losses());
    }
    content.requireEqual(recover(target), "salvaged from an undamaged disk");
  }

  /// Changes the key of the store, which may be cut short: then one of the two is in force.
  ///
  /// @return whether it was, by a loss of power
  private boolean rekey() {
    if (!images.encrypted()
        || faults.lied()
        || random.nextInt(REKEY_SHARE) > 0
        || !machine.disk().fileNames().contains(PAGES)) {
      return false;
    }
    boolean cut = false;
    KeySource other = other();
    if (random.nextBoolean()) {
      machine.cutPowerWithin(REKEY_CALLS_MAX);
    }
    try {
      SimulatedStore.changeKey(machine.disk(), key, other);
      key = other;
    } catch (VarveException e) {
      if (!machine.disk().isOff()) {
        throw new AssertionError("change of the key failed", e);
      }
      cut = true;
      machine.restart(machine.anyCrash());
      keyIsSure = false;
      findKey();
    }
    machine.trace().note("key", key.equals(KEY));
    machine.restore();
    return cut;
  }

  /// Finds which key is in force after a change that was cut short. Until an open has ended, which
  /// makes it durable, a loss of power may bring back the one before.
  private void findKey() {
    KeySource other = other();
    key = opensWith(other) ? other : key;
  }

  private KeySource other() {
    return key.equals(KEY) ? OTHER_KEY : KEY;
  }

  private boolean opensWith(KeySource chosen) {
    StoreOptions options = options().encryption(chosen);
    try (Store store = SimulatedStore.open(machine.disk().copy(), machine.threads(), options)) {
      return store.lastCommit().lsn() >= 0;
    } catch (StoreKeyException _) {
      return false;
    }
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
      machine.close(store);
      throw e;
    }
    long namedLsn = store.lastCommit().lsn();
    long leastLsn = faults.lied() ? Timeline.START : promises.leastLsn(machine.crash());
    long lsn =
        timeline.find(
            items == null ? recovered : ItemContent.withoutItems(recovered), leastLsn, namedLsn);
    if (twin != null && !faults.lied()) {
      twin.requireEqual(recovered, "recovered once more from the same disk");
    }
    machine.trace().note("settled", lsn, recovered.digest());
    timeline.rollBackTo(lsn);
    promises.settle(lsn);
    machine.noteWhole();
    if (faults.lied()) {
      machine.backups().forget();
    }
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
      found = ItemContent.of(store);
    } catch (VarveException | UncheckedIOException e) {
      machine.close(store);
      throw e;
    }
    machine.trace().note("settled items", found.size());
    history.settle(found);
  }
}
