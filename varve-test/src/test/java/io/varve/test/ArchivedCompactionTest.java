package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Compaction of a store whose log is archived: the bytes of each large value that moves go through
/// the log.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArchivedCompactionTest {
  private static final int LOG_BYTES = 4 << 20;
  private static final int COUNT = 60;
  private static final int KEPT = 45;

  private final StoreOptions options =
      StoreOptions.defaults()
          .archiveLog(true)
          .durability(Durability.BACKGROUND)
          .checkpointInterval(Duration.ofMillis(200))
          .log(log -> log.bytesMax(LOG_BYTES));

  private static byte[] value(int seed, int length) {
    byte[] value = new byte[length];
    new SplittableRandom(seed).nextBytes(value);
    return value;
  }

  /// The checkpoint thread waited for capacity in the log, which its own checkpoints give: commits
  /// waited for them, and so did the close.
  @Test
  void checkpointThreadWaitsForNoCapacityInTheLog() throws InterruptedException {
    movesWhatIsLeft(1 << 20);
  }

  @Test
  void valueLongerThanTheLogMoves() throws InterruptedException {
    movesWhatIsLeft(LOG_BYTES + (1 << 20));
  }

  private void movesWhatIsLeft(int lastBytes) throws InterruptedException {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, options)) {
      Space space = store.space("s");
      for (int i = 0; i < COUNT; i++) {
        space.put(Bytes.of(i), value(i, i < COUNT - 1 ? 1 << 20 : lastBytes));
      }
      store.checkpoint();
      long before = store.statistics().disk().pageFileBytes();
      for (int i = 0; i < KEPT; i++) {
        space.delete(Bytes.of(i));
      }
      for (int i = 0; store.statistics().disk().pageFileBytes() > before / 2; i++) {
        space.put(Bytes.of(-1), value(i, 1000));
        Thread.sleep(1);
      }
    }
    try (Store store = SimulatedStore.open(disk, options)) {
      Space space = store.space("s");
      for (int i = KEPT; i < COUNT; i++) {
        assertThat(space.get(Bytes.of(i))).isEqualTo(value(i, i < COUNT - 1 ? 1 << 20 : lastBytes));
      }
      store.verify().requireSound();
    }
  }
}
