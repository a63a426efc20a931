package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A process that may open no more files is no failure of the store. A commit that the log has no
/// segment for is refused before it takes effect; reads and checkpoints continue, and commits as
/// soon as a file may be opened. A crash before or after takes nothing that was acknowledged, and
/// brings back nothing that was refused.
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FileLimitTest {
  private static final int HISTORIES = 12;
  private static final int LIVES = 3;
  private static final int LIMITS = 4;
  private static final int COMMITS_MAX = 400;
  private static final Set<DiskOperation> OPENING =
      Set.of(
          DiskOperation.OPEN,
          DiskOperation.CREATE,
          DiskOperation.MAP,
          DiskOperation.SYNC_DIRECTORY);

  @Test
  void commitsAreRefusedWhileNoMoreFilesMayBeOpenedD4() {
    int[] refused = new int[1];
    Seeds.forEach(HISTORIES, seed -> refused[0] += new History(seed).run());
    assertThat(refused[0]).as("commits refused").isGreaterThan(HISTORIES);
  }

  private static final class History {
    private final SplittableRandom random;
    private final boolean isEncrypted;
    private final boolean archives;

    /// How many calls may still open a file.
    private final AtomicInteger allowed = new AtomicInteger(Integer.MAX_VALUE);

    private final Map<Integer, byte[]> acknowledged = new TreeMap<>();
    private final Set<Integer> refused = new TreeSet<>();
    private SimulatedDisk disk;
    private int next;

    History(long seed) {
      random = new SplittableRandom(seed);
      disk = new SimulatedDisk(seed);
      isEncrypted = Stores.isEncrypted(seed);
      archives = random.nextBoolean();
    }

    /// Returns how many commits were refused.
    int run() {
      for (int life = 0; life < LIVES; life++) {
        boolean losesPower = random.nextBoolean();
        Durability durability = losesPower ? Durability.POWER_LOSS : Durability.PROCESS_CRASH;
        StoreOptions options =
            Stores.random(random, isEncrypted).durability(durability).archiveLog(archives);
        Store store = SimulatedStore.open(disk, options);
        requireContent(store);
        disk.faults(call ->
            OPENING.contains(call.operation()) && allowed.getAndDecrement() <= 0
                ? Fault.FILE_LIMIT
                : Fault.NONE);
        use(store);
        if (random.nextInt(3) > 0) {
          disk = losesPower ? disk.powerCut() : disk.processCrash();
          closeDead(store);
        } else {
          allowed.set(Integer.MAX_VALUE);
          store.close();
        }
        allowed.set(Integer.MAX_VALUE);
      }
      try (Store store = SimulatedStore.open(disk, Stores.random(random, isEncrypted))) {
        requireContent(store);
      }
      return refused.size();
    }

    private static void closeDead(Store store) {
      try {
        store.close();
      } catch (StoreFailedException e) {
        // Its machine is no more.
      }
    }

    private void use(Store store) {
      for (int i = 0; i < LIMITS; i++) {
        allowed.set(random.nextInt(5));
        putUntilRefused(store.space("s"));
        if (random.nextInt(3) == 0) {
          store.checkpoint();
        }
        if (random.nextInt(4) > 0) {
          allowed.set(Integer.MAX_VALUE);
          put(store.space("s"));
        }
        requireContent(store);
      }
    }

    private void putUntilRefused(Space space) {
      for (int i = 0; i < COMMITS_MAX; i++) {
        try {
          put(space);
        } catch (StoreFullException e) {
          assertThat(e).hasMessageContaining("raise the limit of open files");
          refused.add(next++);
          return;
        }
      }
    }

    private void put(Space space) {
      byte[] value = new byte[random.nextInt(2000)];
      space.put(Bytes.of(next), value);
      acknowledged.put(next++, value);
    }

    private void requireContent(Store store) {
      Space space = store.space("s");
      acknowledged.forEach(
          (key, value) -> assertThat(space.get(Bytes.of(key))).as("key %d", key).isEqualTo(value));
      refused.forEach(key -> assertThat(space.get(Bytes.of(key))).as("key %d", key).isNull());
      store.verify().requireSound();
    }
  }
}
