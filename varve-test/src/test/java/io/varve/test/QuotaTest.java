package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Statistics;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A quota is a disk of that size: the files of the store never take more, what does not fit is
/// refused before it takes effect, and deletes and a compaction free capacity.
@Tag("slow")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QuotaTest {
  private static final long QUOTA = 6 << 20;

  private static StoreOptions options(SplittableRandom random) {
    return Stores.random(random).pageBytes(8192).diskBytesMax(QUOTA);
  }

  /// Random commits against a small quota, with crashes and clean closes between: the size of the
  /// directory is looked at before each call to the disk.
  @Test
  void theDirectoryNeverPassesTheQuota() {
    Seeds.forEach(
        2,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          SimulatedDisk disk = new SimulatedDisk(seed);
          Model model = new Model();
          int refused = 0;
          for (int round = 0; round < 3; round++) {
            AtomicLong largest = watch(disk);
            Store store = SimulatedStore.open(disk, options(random));
            model.requireEqual(Model.of(store), "opened, round " + round);
            refused += commitMany(store, model, random);
            model.requireEqual(Model.of(store), "after commits, round " + round);
            store.checkpoint(); // finds capacity, whatever was refused
            Statistics figures = store.statistics();
            assertThat(figures.disk().quotaBytes()).isEqualTo(QUOTA);
            assertThat(figures.disk().usedBytes()).isBetween(1L, QUOTA);
            store.verify().requireSound();
            if (random.nextBoolean()) {
              store.awaitDurable(store.lastCommit());
              SimulatedDisk after = disk.powerCut();
              store.close();
              disk = after;
            } else {
              store.close();
            }
            assertThat(largest.get()).as("bytes of all files").isBetween(1L, QUOTA);
          }
          assertThat(refused).as("commits that were refused").isPositive();
        });
  }

  private static AtomicLong watch(SimulatedDisk disk) {
    AtomicLong largest = new AtomicLong();
    disk.faults(call -> {
      if (call.operation().isMutating()) {
        largest.accumulateAndGet(disk.usedBytes(), Math::max);
      }
      return Fault.NONE;
    });
    return largest;
  }

  /// Puts until some are refused, then deletes half, and so on.
  private static int commitMany(Store store, Model model, SplittableRandom random) {
    Space space = store.space("s");
    int refused = 0;
    for (int turn = 0; turn < 2; turn++) {
      int inARow = 0;
      for (int i = 0; i < 8000 && inARow < 3; i++) {
        byte[] key = Bytes.of("k" + random.nextInt(6000));
        byte[] value = new byte[random.nextInt(60) == 0 ? 15_000 : random.nextInt(1200)];
        random.nextBytes(value);
        try {
          if (random.nextInt(20) == 0) {
            byte[] other = Bytes.of("t" + random.nextInt(500));
            store.transact(transaction -> {
              transaction.put(space, key, value);
              transaction.put(space, other, value);
            });
            model.put("s", other, value);
          } else {
            space.with(Durability.BACKGROUND).put(key, value);
          }
          model.put("s", key, value);
          inARow = 0;
        } catch (StoreFullException e) {
          refused++;
          inARow++;
          assertThat(space.get(key)).as("refused without effect").isEqualTo(model.get("s", key));
        }
      }
      deleteHalf(space, model, random);
      store.compact();
    }
    byte[] key = Bytes.of("after");
    space.put(key, key);
    model.put("s", key, key);
    return refused;
  }

  private static void deleteHalf(Space space, Model model, SplittableRandom random) {
    for (byte[] key : List.copyOf(model.entries("s").keySet())) {
      if (random.nextBoolean()) {
        space.with(Durability.PROCESS_CRASH).delete(key);
        model.delete("s", key);
      }
    }
  }

  /// Options that want more log than the quota has are cut to it.
  @Test
  void theLogTakesItsShareOfTheQuota() {
    SimulatedDisk disk = new SimulatedDisk(1);
    AtomicLong largest = watch(disk);
    StoreOptions options = StoreOptions.defaults().diskBytesMax(32 << 20);
    try (Store store = SimulatedStore.open(disk, options)) {
      for (int i = 0; i < 2000; i++) {
        store.space("s").with(Durability.BACKGROUND).put(Bytes.of(i % 100), new byte[2000]);
      }
    }
    assertThat(largest.get()).isBetween(1L, 32L << 20);
  }
}
