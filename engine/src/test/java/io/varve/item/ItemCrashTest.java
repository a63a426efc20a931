package io.varve.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.StoreOptions;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Power cuts at any call: what is found is one of the commits, whole, and no older than the newest
/// that was acknowledged.
class ItemCrashTest {
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults()
          .cacheBytes(1 << 20)
          .log(log -> log.bytesMax(4 << 20).segmentBytes(1 << 20));

  private static final int SEEDS = 15;

  /// The states that commits made, from the empty one on.
  private final List<TreeSet<Item>> states = new ArrayList<>();

  private final TreeSet<Item> now = new TreeSet<>();

  /// The newest state that is certainly durable.
  private int acknowledged;

  @Test
  void aCrashLeavesAPrefixOfCommitsD1D2D3() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      states.clear();
      states.add(new TreeSet<>());
      now.clear();
      acknowledged = 0;
      crash(seed);
    }
  }

  private void crash(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SimulatedDisk disk = new SimulatedDisk(seed);
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      ItemSpace items = store.items("items");
      disk.cutPowerAtCall(disk.mutatingCalls() + 1 + random.nextInt(400));
      run(items, random);
    } catch (StoreFailedException
        | StoreIoException
        | StoreClosedException
        | StoreFullException e) {
      assertThat(disk.isOff()).as("seed %d: %s", seed, e).isTrue();
    }
    SimulatedDisk after = disk.powerCut();
    for (int open = 0; open < 2; open++) {
      try (Store store = SimulatedStore.open(after, OPTIONS)) {
        ItemSpace items = store.items("items");
        TreeSet<Item> found = new TreeSet<>();
        items.scan().forEach(found::add);
        assertThat(states.lastIndexOf(found))
            .as("seed %d: one of the commits, not older than %d", seed, acknowledged)
            .isGreaterThanOrEqualTo(acknowledged);
        items.commit(); // merges what is left to be merged
        assertThat(items.count()).isEqualTo(found.size());
        assertThat(store.verify().isSound()).isTrue();
      }
    }
  }

  private void run(ItemSpace items, SplittableRandom random) {
    for (int commit = 0; commit < 60; commit++) {
      change(items, random);
      if (random.nextInt(5) == 0) {
        items.rollback();
        now.clear();
        now.addAll(states.getLast());
        continue;
      }
      boolean waits = random.nextInt(3) > 0;
      states.add(new TreeSet<>(now)); // it may be found from now on
      items.commit(waits ? Durability.POWER_LOSS : Durability.BACKGROUND);
      if (waits) {
        acknowledged = states.size() - 1;
      }
    }
  }

  private void change(ItemSpace items, SplittableRandom random) {
    int size = random.nextInt(6) == 0 ? 2500 : 1 + random.nextInt(20);
    long group = random.nextLong(3);
    if (random.nextInt(4) == 0) {
      items.deleteSubspace(Item.of(group));
      now.removeIf(item -> item.startsWith(Item.of(group)));
    }
    for (int i = 0; i < size; i++) {
      Item item = Item.of(group, random.nextLong(6000));
      if (random.nextInt(4) == 0) {
        items.delete(item);
        now.remove(item);
      } else {
        items.insert(item);
        now.add(item);
      }
    }
  }
}
