package io.varve.test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Strong transactions over more leaves than the cache holds, of which each record takes half the
/// ring, among smaller ones that come without end. A device takes up to half a millisecond for each
/// call.
@Tag("simulation")
class LargeCommitSimulationTest {
  private static final int SEEDS = 10;
  private static final int ENTRIES = 20_000;
  private static final int SMALL_PUTS = 40;
  private static final int LARGE_PUTS = 250;
  private static final long STRONG_NANOS_MAX = 400_000_000;

  /// Guards against a commit that takes half a minute. Others beat it to each part of the log that
  /// is released. Its leaves were written and left memory before the last of them was loaded.
  @Test
  void aLargeCommitIsNotStarvedBySmallOnesD5() {
    Seeds.forEach(SEEDS, LargeCommitSimulationTest::commit);
  }

  private static void commit(long seed) {
    var threads = new SimulatedThreads(seed);
    threads.run(() -> {
      var random = new SplittableRandom(seed);
      Store store =
          SimulatedStore.open(
              disk(seed, threads),
              threads,
              StoreOptions.defaults().cacheBytes(1 << 20).log(log -> log.bufferBytes(1 << 16)));
      Space space = store.space("a");
      load(store, space);
      boolean[] over = new boolean[1];
      List<Thread> small = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        SplittableRandom keys = random.split();
        small.add(
            threads.start(
                "small-" + i,
                () -> {
                  while (!over[0]) {
                    putScattered(store, space, Durability.PROCESS_CRASH, keys, SMALL_PUTS);
                  }
                }));
      }
      for (int i = 0; i < 3; i++) {
        long start = threads.nanoTime();
        putScattered(store, space, Durability.POWER_LOSS, random, LARGE_PUTS);
        assertThat(threads.nanoTime() - start)
            .as("nanoseconds of a strong commit (D5)")
            .isLessThan(STRONG_NANOS_MAX);
      }
      over[0] = true;
      small.forEach(LargeCommitSimulationTest::join);
      store.close();
    });
  }

  private static SimulatedDisk disk(long seed, SimulatedThreads threads) {
    var disk = new SimulatedDisk(seed);
    var random = new SplittableRandom(seed);
    disk.faults(_ -> {
      threads.pause(random.nextInt(500_000));
      return Fault.NONE;
    });
    return disk;
  }

  private static void load(Store store, Space space) {
    for (int from = 0; from < ENTRIES; from += 100) {
      int first = from;
      store.transact(
          Durability.BACKGROUND,
          transaction -> {
            for (int i = first; i < first + 100; i++) {
              transaction.put(space, key(i), new byte[100]);
            }
          });
    }
    store.checkpoint();
  }

  private static void putScattered(
      Store store, Space space, Durability durability, SplittableRandom random, int count) {
    int[] keys = random.ints(count, 0, ENTRIES).toArray();
    store.transact(
        durability,
        transaction -> {
          for (int key : keys) {
            transaction.put(space, key(key), new byte[100]);
          }
        });
  }

  private static byte[] key(int number) {
    return "%06d".formatted(number).getBytes(UTF_8);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError("no thread interrupts", e);
    }
  }
}
