package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFullException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A full disk is not a failure (D4): commits are refused before they take effect, reads go on, and
/// commits go on when there is room, without a reopen.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullDiskTest {
  private static final int COMMITS_MAX = 200_000;

  @Test
  void fullDiskRefusesCommitsAndKeepsTheRestD4() {
    Seeds.forEach(
        12,
        seed -> {
          SimulatedDisk disk = new SimulatedDisk(seed);
          SplittableRandom random = new SplittableRandom(seed);
          Model model = new Model();
          Store store = SimulatedStore.open(disk, Stores.random(random));
          Space space = store.space("s");
          for (int round = 0; round < 4; round++) {
            disk.capacityBytes(disk.usedBytes() + random.nextInt(600_000));
            fill(store, space, model, random);
            model.requireEqual(Model.of(store), "while the disk is full");
            disk.capacityBytes(Long.MAX_VALUE);
            byte[] key = Bytes.of("room" + round);
            putWhenThereIsRoom(space, key);
            model.put("s", key, key);
          }
          model.requireEqual(Model.of(store), "when there is room again");
          store.verify().requireSound();
          boolean crash = random.nextBoolean();
          long last = store.lastCommit();
          if (crash) {
            store.awaitDurable(last);
          } else {
            store.close();
          }
          SimulatedDisk after = disk.powerCut();
          if (crash) {
            store.close();
          }
          try (Store reopened = SimulatedStore.open(after, Stores.tiny())) {
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
        space.put(key, value, Durability.PROCESS_CRASH);
        model.put("s", key, value);
      } catch (StoreFullException e) {
        refused++;
        assertThat(space.get(key)).as("refused without effect").isEqualTo(model.get("s", key));
      }
    }
  }

  /// Room that has just come back may take the store a checkpoint to notice; it must not take a
  /// reopen.
  private static void putWhenThereIsRoom(Space space, byte[] key) {
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
    throw new AssertionError("still refused when there is room", last);
  }

  /// A disk too small for the first files refuses the store, and leaves nothing that would stop a
  /// later open.
  @Test
  void storeThatFindsNoRoomCanBeCreatedLater() {
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
}
