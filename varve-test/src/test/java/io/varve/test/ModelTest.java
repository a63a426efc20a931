package io.varve.test;

import io.varve.Durability;
import io.varve.Store;
import io.varve.StoreOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One thread's random histories: the store answers every call as a `TreeMap` does, and snapshots
/// continue to show what they showed first.
@Tag("slow")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ModelTest {
  private static final List<Durability> DURABLE =
      List.of(Durability.POWER_LOSS, Durability.PROCESS_CRASH, Durability.BACKGROUND);

  @Test
  void fewKeysOnASimulatedDisk() {
    Seeds.forEach(
        60,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          runSimulated(seed, random, new RandomKeys(random, 30 + random.nextInt(300), 20_000), 300);
        });
  }

  /// Many pages in a cache that holds a part of them.
  @Test
  void manyKeysOnASimulatedDisk() {
    Seeds.forEach(
        1,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          runSimulated(seed, random, new RandomKeys(random, 20_000, 100_000), 15_000);
        });
  }

  @Test
  void realFiles(@TempDir Path directory) {
    Seeds.forEach(
        2,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          Path path = directory.resolve("store-" + seed);
          boolean encrypted = Stores.isEncrypted(seed);
          Supplier<Store> opener = () -> Store.open(path, Stores.random(random, encrypted));
          run(random, new RandomKeys(random, 500, 300_000), opener, 1500);
        });
  }

  @Test
  void defaultOptions(@TempDir Path directory) {
    Seeds.forEach(
        1,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          run(random, new RandomKeys(random, 5000, 100_000), () -> Store.open(directory), 4000);
        });
  }

  @Test
  void inMemory() {
    Seeds.forEach(
        10,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          StoreOptions options = StoreOptions.defaults().pageBytes(1024);
          RandomKeys keys = new RandomKeys(random, 400, 20_000);
          try (Store store = Store.inMemory(options)) {
            new ModelRun(random, keys, store, null, List.of(Durability.NONE)).run(1000);
          }
        });
  }

  private static void runSimulated(long seed, SplittableRandom random, RandomKeys keys, int steps)
      throws Exception {
    SimulatedDisk disk = new SimulatedDisk(seed);
    boolean encrypted = Stores.isEncrypted(seed);
    run(random, keys, () -> SimulatedStore.open(disk, Stores.random(random, encrypted)), steps);
  }

  private static void run(
      SplittableRandom random, RandomKeys keys, Supplier<Store> opener, int steps)
      throws Exception {
    ModelRun run = new ModelRun(random, keys, opener.get(), opener, DURABLE);
    try {
      run.run(steps);
    } finally {
      run.store().close();
    }
  }
}
