package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Commit;
import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A full disk is not a failure (D4): commits are refused before they take effect, reads continue,
/// and commits continue when there is capacity, without a reopen.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullDiskTest {
  private static final int COMMITS_MAX = 200_000;

  /// Small, but with pages of the usual size: how much capacity a checkpoint takes depends on how
  /// much larger inner pages are than leaves.
  private static StoreOptions usual() {
    return Stores.tiny().pageBytes(8192).cacheBytes(4 << 20);
  }

  @Test
  void fullDiskRefusesCommitsAndKeepsTheRestD4() {
    Seeds.forEach(
        12,
        seed -> {
          SimulatedDisk disk = new SimulatedDisk(seed);
          SplittableRandom random = new SplittableRandom(seed);
          boolean encrypted = Stores.isEncrypted(seed);
          Model model = new Model();
          Store store = SimulatedStore.open(disk, Stores.random(random, encrypted));
          Space space = store.space("s");
          for (int round = 0; round < 4; round++) {
            disk.capacityBytes(disk.usedBytes() + random.nextInt(600_000));
            fill(store, space, model, random);
            model.requireEqual(Model.of(store), "while the disk is full");
            disk.capacityBytes(Long.MAX_VALUE);
            byte[] key = Bytes.of("free" + round);
            putWhenThereIsCapacity(space, key);
            model.put("s", key, key);
          }
          model.requireEqual(Model.of(store), "when there is capacity again");
          store.verify().requireSound();
          boolean crash = random.nextBoolean();
          Commit last = store.lastCommit();
          if (crash) {
            store.awaitDurable(last);
          } else {
            store.close();
          }
          SimulatedDisk after = disk.powerCut();
          if (crash) {
            store.close();
          }
          try (Store reopened = SimulatedStore.open(after, Stores.tiny(encrypted))) {
            model.requireEqual(Model.of(reopened), "reopened");
            reopened.verify().requireSound();
          }
        });
  }

  /// Puts until the store has refused some.
  private static void fill(Store store, Space space, Model model, SplittableRandom random) {
    int refused = 0;
    for (int commit = 0; refused < 5; commit++) {
      assertThat(commit).as("commits on a disk that must be full").isLessThan(COMMITS_MAX);
      byte[] key = Bytes.of("k" + random.nextInt(3000));
      byte[] value = new byte[random.nextInt(50) == 0 ? 20_000 : random.nextInt(900)];
      random.nextBytes(value);
      try {
        if (random.nextInt(200) == 0) {
          store.checkpoint();
        }
        space.with(Durability.PROCESS_CRASH).put(key, value);
        model.put("s", key, value);
      } catch (StoreFullException e) {
        refused++;
        assertThat(space.get(key)).as("refused without effect").isEqualTo(model.get("s", key));
      }
    }
  }

  /// Capacity that has just come back may take the store a checkpoint to notice; it must not take a
  /// reopen.
  private static void putWhenThereIsCapacity(Space space, byte[] key) {
    StoreFullException last = null;
    for (int attempt = 0; attempt < 100_000; attempt++) {
      try {
        space.put(key, key);
        return;
      } catch (StoreFullException e) {
        last = e;
        Thread.onSpinWait();
      }
    }
    throw new AssertionError("still refused when there is capacity", last);
  }

  /// A disk too small for the first files refuses the store, and leaves nothing that would stop a
  /// later open.
  @Test
  void storeThatFindsNoCapacityCanBeCreatedLater() {
    Seeds.forEach(
        40,
        seed -> {
          SimulatedDisk disk = new SimulatedDisk(seed);
          disk.capacityBytes(new SplittableRandom(seed).nextInt(400_000));
          try {
            SimulatedStore.open(disk, Stores.tiny()).close();
          } catch (StoreFullException e) {
            disk.capacityBytes(Long.MAX_VALUE);
          }
          disk.capacityBytes(Long.MAX_VALUE);
          try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
            store.space("s").put(Bytes.of("k"), Bytes.of("v"));
            store.verify().requireSound();
          }
        });
  }

  /// A store that was closed on a disk which others then filled to the last byte: it opens,
  /// answers, takes deletes, and takes puts when they have freed capacity.
  @Test
  void opensOnAFullDiskAfterACleanClose() {
    SimulatedDisk disk = new SimulatedDisk(1);
    Model model = new Model();
    try (Store store = SimulatedStore.open(disk, usual())) {
      load(store.space("s"), model);
    }
    disk.capacityBytes(disk.usedBytes());
    try (Store store = SimulatedStore.open(disk, usual())) {
      relieve(store, model);
    }
    try (Store store = SimulatedStore.open(disk, usual())) {
      model.requireEqual(Model.of(store), "reopened");
      store.verify().requireSound();
    }
  }

  /// The same after the death of the process, with values in the log that go to the page file.
  @Test
  void opensOnAFullDiskAfterACrash() {
    Seeds.forEach(
        6,
        seed -> {
          SimulatedDisk disk = new SimulatedDisk(seed);
          Model model = new Model();
          Store store = SimulatedStore.open(disk, usual());
          load(store.space("s"), model);
          store.checkpoint();
          SplittableRandom random = new SplittableRandom(seed);
          for (int i = 0; i < 30; i++) {
            byte[] key = Bytes.of("large" + random.nextInt(20));
            byte[] value = new byte[i % 10 == 0 ? 140_000 : 10_000];
            random.nextBytes(value);
            store.space("s").put(key, value);
            model.put("s", key, value);
          }
          long used = disk.usedBytes();
          SimulatedDisk after = random.nextBoolean() ? disk.processCrash() : disk.powerCut();
          store.close();
          // A loss of power may have taken back what the files had grown, and what the values need.
          after.capacityBytes(Math.max(used, after.usedBytes()));
          try (Store reopened = SimulatedStore.open(after, usual())) {
            relieve(reopened, model);
          }
        });
  }

  private static void load(Space space, Model model) {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 4000; i++) {
      byte[] key = Bytes.of("k" + i);
      byte[] value = new byte[300];
      random.nextBytes(value);
      space.with(Durability.BACKGROUND).put(key, value);
      model.put("s", key, value);
    }
  }

  /// Reads, is refused, deletes, compacts, and puts again.
  private static void relieve(Store store, Model model) {
    Space space = store.space("s");
    model.requireEqual(Model.of(store), "on a full disk");
    requireRefused(space, model);
    for (int i = 0; i < 4000; i++) {
      if (i % 4 != 0) {
        byte[] key = Bytes.of("k" + i);
        space.delete(key);
        model.delete("s", key);
      }
    }
    model.requireEqual(Model.of(store), "when much is deleted");
    compactUntilThereIsCapacity(store, model);
    model.requireEqual(Model.of(store), "when there is capacity again");
    store.verify().requireSound();
  }

  /// Each compaction has more capacity to move things than the one before.
  private static void compactUntilThereIsCapacity(Store store, Model model) {
    byte[] key = Bytes.of("free");
    for (int compactions = 1; ; compactions++) {
      store.compact();
      try {
        store.space("s").put(key, key);
        model.put("s", key, key);
        return;
      } catch (StoreFullException e) {
        if (compactions == 5) {
          throw e;
        }
      }
    }
  }

  /// Puts until what is free in the page file is used up and the rest is refused.
  private static void requireRefused(Space space, Model model) {
    int refused = 0;
    for (int i = 0; refused < 3; i++) {
      assertThat(i).as("commits on a disk that is full").isLessThan(COMMITS_MAX);
      byte[] key = Bytes.of("more" + i);
      try {
        space.put(key, new byte[800]);
        model.put("s", key, new byte[800]);
      } catch (StoreFullException e) {
        refused++;
        assertThat(space.get(key)).as("refused without effect").isNull();
      }
    }
  }

  /// A store that has filled the disk alone keeps what deletes and checkpoints need.
  @Test
  void deletesFreeCapacityOnADiskThatTheStoreFilled() {
    Seeds.forEach(
        6,
        seed -> {
          SimulatedDisk disk = new SimulatedDisk(seed);
          disk.capacityBytes(4_000_000 + 100_000 * (seed % 8));
          Model model = new Model();
          try (Store store = SimulatedStore.open(disk, usual())) {
            fill(store, store.space("s"), model, new SplittableRandom(seed));
            for (byte[] key : List.copyOf(model.entries("s").keySet())) {
              if (key[key.length - 1] % 4 != 0) {
                store.space("s").delete(key);
                model.delete("s", key);
              }
            }
            compactUntilThereIsCapacity(store, model);
            model.requireEqual(Model.of(store), "when there is capacity again");
            store.verify().requireSound();
          }
        });
  }
}
