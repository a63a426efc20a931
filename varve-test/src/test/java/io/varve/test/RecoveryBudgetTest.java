package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Statistics;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import java.io.FileNotFoundException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A recovery keeps to the budgets of memory and disk, whatever the log holds. One that is killed
/// again and again ends at last, with the file no longer than after one.
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecoveryBudgetTest {
  private static final int VALUE_BYTES = 100;
  private static final long SMALL_CACHE_BYTES = 1 << 20;

  /// The file's part of a checkpoint, and what a small file may take in addition.
  private static final long SLACK_BYTES = 12 << 20;

  /// Nothing is written but what the test asks for, until a recovery.
  private static StoreOptions lavish(boolean encrypted) {
    return Stores.tiny(encrypted)
        .durability(Durability.BACKGROUND)
        .cacheBytes(256 << 20)
        .log(log -> log.bytesMax(12 << 20).segmentBytes(1 << 20))
        .checkpointInterval(Duration.ofHours(1));
  }

  private static StoreOptions small(boolean encrypted) {
    return lavish(encrypted).cacheBytes(SMALL_CACHE_BYTES);
  }

  private static byte[] value(int version, int bytes) {
    byte[] value = new byte[bytes];
    new SplittableRandom(version).nextBytes(value);
    return value;
  }

  /// Changes random keys, a few with each commit: some large values, some deletes.
  private static void change(
      Store store, Map<Integer, Integer> model, SplittableRandom random, int keys, int changes) {
    Space space = store.space("s");
    for (int i = 0; i < changes; ) {
      int count = 1 + random.nextInt(random.nextInt(100) == 0 ? 500 : 5);
      store.transact(tx -> {
        for (int j = 0; j < count; j++) {
          int key = random.nextInt(keys);
          int version = random.nextInt(1, 1 << 20);
          if (version % 50 == 0) {
            tx.delete(space, Bytes.of(key));
            model.remove(key);
          } else {
            tx.put(space, Bytes.of(key), value(version, bytes(version)));
            model.put(key, version);
          }
        }
      });
      i += count;
    }
  }

  /// One value in 500 is so large that it has extents of its own.
  private static int bytes(int version) {
    return version % 500 == 1 ? 3000 + version % 9000 : VALUE_BYTES;
  }

  private static void requireEqual(Space space, Map<Integer, Integer> model) {
    int found = 0;
    try (Cursor cursor = space.cursor(Range.all())) {
      while (cursor.next()) {
        int key = (int) Bytes.toLong(cursor.key());
        Integer version = model.get(key);
        assertThat(version).as("key " + key).isNotNull();
        assertThat(cursor.value()).isEqualTo(value(version, bytes(version)));
        found++;
      }
    }
    assertThat(found).isEqualTo(model.size());
  }

  private static long fileBytes(SimulatedDisk disk) {
    try {
      return disk.content("pages").length;
    } catch (FileNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /// A store that was killed, with `changes` changes of random keys after its only checkpoint.
  private static SimulatedDisk killed(
      long seed, boolean encrypted, Map<Integer, Integer> model, int keys, int changes) {
    SplittableRandom random = new SplittableRandom(seed);
    SimulatedDisk disk = new SimulatedDisk(seed);
    Store store = SimulatedStore.open(disk, lavish(encrypted));
    change(store, model, random, keys, 2 * keys);
    store.checkpoint();
    change(store, model, random, keys, changes);
    store.awaitDurable(store.lastCommit());
    assertThat(store.statistics().checkpoints().count()).isEqualTo(1);
    SimulatedDisk crashed = disk.powerCut();
    closeDead(store);
    return crashed;
  }

  private static void closeDead(Store store) {
    try {
      store.close();
    } catch (VarveException e) {
      // its disk is off
    }
  }

  /// Replayed as a whole, the log makes three times the cache dirty.
  @Test
  void aReplayKeepsToTheCache() {
    Map<Integer, Integer> model = new HashMap<>();
    SimulatedDisk disk = killed(1, false, model, 20_000, 20_000);
    long before = fileBytes(disk);
    try (Store store = SimulatedStore.open(disk, small(false))) {
      Statistics statistics = store.statistics();
      assertThat(statistics.recovery().replayedCommits()).isPositive();
      assertThat(statistics.cache().dirtyBytes()).isLessThanOrEqualTo(SMALL_CACHE_BYTES);
      assertThat(statistics.cache().usedBytes()).isLessThanOrEqualTo(SMALL_CACHE_BYTES);
      assertThat(statistics.cache().budgetBytes()).isEqualTo(SMALL_CACHE_BYTES);
      assertThat(fileBytes(disk)).isLessThan(2 * before + SLACK_BYTES);
      requireEqual(store.space("s"), model);
      store.verify().requireSound();
    }
  }

  /// Kills recoveries, each a little later than the one before, by loss of power or of the process.
  @Test
  void aRecoveryThatIsKilledAgainAndAgainLosesNothing() {
    AtomicInteger shortened = new AtomicInteger();
    Seeds.forEach(
        3,
        seed -> {
          boolean encrypted = seed % 3 == 0;
          Map<Integer, Integer> model = new HashMap<>();
          SimulatedDisk disk = killed(seed, encrypted, model, 6_000, 16_000);
          long bytesMax = 2 * fileBytes(disk) + SLACK_BYTES;
          SplittableRandom random = new SplittableRandom(seed);
          int kills = 0;
          long commits = recoveredCommits(disk.copy(), encrypted);
          for (long calls = 1 + random.nextInt(8); ; calls += random.nextLong(1, 2 * calls)) {
            disk.cutPowerAtCall(disk.mutatingCalls() + calls);
            boolean opened = tryOpen(disk, encrypted);
            assertThat(fileBytes(disk)).as("page file").isLessThan(bytesMax);
            if (opened) {
              break;
            }
            kills++;
            disk = random.nextBoolean() ? disk.powerCut() : disk.processCrash();
          }
          assertThat(kills).isPositive();
          disk = disk.processCrash();
          try (Store store = SimulatedStore.open(disk, small(encrypted))) {
            shortened.addAndGet(
                store.statistics().recovery().replayedCommits() < commits / 2 ? 1 : 0);
            requireEqual(store.space("s"), model);
            store.verify().requireSound();
            change(store, model, random, 6_000, 1_000);
            store.checkpoint();
            store.verify().requireSound();
          }
          try (Store store = SimulatedStore.open(disk, small(encrypted))) {
            requireEqual(store.space("s"), model);
          }
        });
    assertThat(shortened.get())
        .as("recoveries that continued where another was killed")
        .isPositive();
  }

  private static long recoveredCommits(SimulatedDisk disk, boolean encrypted) {
    try (Store store = SimulatedStore.open(disk, lavish(encrypted))) {
      return store.statistics().recovery().replayedCommits();
    }
  }

  private static boolean tryOpen(SimulatedDisk disk, boolean encrypted) {
    Store store;
    try {
      store = SimulatedStore.open(disk, small(encrypted));
    } catch (VarveException e) {
      assertThat(disk.isOff()).as("refused though the power was on").isTrue();
      return false;
    }
    disk.turnOff();
    closeDead(store);
    return true;
  }

  /// Large values that the log holds are written to the page file by each replay: to the same
  /// offsets.
  @Test
  void aCrashLoopDoesNotGrowTheFile() {
    // A log that is never so long that an open takes a checkpoint: CrashLoopTest has those.
    StoreOptions options = lavish(false).log(log -> log.bytesMax(48 << 20));
    SimulatedDisk disk = new SimulatedDisk(7);
    Map<Integer, Integer> lengths = new HashMap<>();
    Store first = SimulatedStore.open(disk, options);
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 100; i++) {
      lengths.put(i % 60, random.nextInt(1 << 10, 100 << 10));
      first.space("s").put(Bytes.of(i % 60), value(i % 60, lengths.get(i % 60)));
    }
    first.awaitDurable(first.lastCommit());
    disk = disk.powerCut();
    closeDead(first);
    long grown = 0;
    for (int restart = 0; restart < 5; restart++) {
      Store store = SimulatedStore.open(disk, options);
      SimulatedDisk next = disk.processCrash();
      closeDead(store);
      disk = next;
      if (restart == 0) {
        grown = fileBytes(disk);
      }
      assertThat(fileBytes(disk)).as("after restart " + restart).isLessThanOrEqualTo(grown);
    }
    try (Store store = SimulatedStore.open(disk, options)) {
      lengths.forEach((key, length) ->
          assertThat(store.space("s").get(Bytes.of(key))).isEqualTo(value(key, length)));
      store.verify().requireSound();
    }
  }

  /// A checkpoint in the middle of a recovery needs the index of each large value that went. A bad
  /// sector there must not keep the store from opening: what is left of the value is unreachable.
  @Test
  void aRecoveryPassesByTheIndexOfAValueThatWent() throws FileNotFoundException {
    int keys = 20_000;
    SplittableRandom random = new SplittableRandom(9);
    Map<Integer, Integer> model = new HashMap<>();
    SimulatedDisk disk = new SimulatedDisk(9);
    Store store = SimulatedStore.open(disk, lavish(false));
    change(store, model, random, keys, keys);
    store.checkpoint();
    byte[] before = disk.content("pages");
    store.space("large").put(Bytes.of(1), new byte[3 << 20]);
    byte[] after = disk.content("pages");
    int from = Arrays.mismatch(before, after);
    store.checkpoint();
    store.space("large").delete(Bytes.of(1));
    change(store, model, random, keys, 40_000);
    store.awaitDurable(store.lastCommit());
    SimulatedDisk crashed = disk.powerCut();
    closeDead(store);
    crashed.faults(
        FaultPlan.always(
            call ->
                call.operation() == DiskOperation.READ
                    && call.position() >= from
                    && call.position() < after.length,
            Fault.IO_ERROR));
    try (Store recovered = SimulatedStore.open(crashed, small(false))) {
      crashed.faults(FaultPlan.none());
      requireEqual(recovered.space("s"), model);
      recovered.verify().requireSound();
    }
  }
}
