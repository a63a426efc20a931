package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import io.varve.spi.NonBlockingSpace;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a delete frees is there for the next put, which waits for what frees it (CR-1): no caller
/// has to write a checkpoint or compact, and no put is refused.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefillTest {
  private static final long QUOTA = 16 << 20;
  private static final int ROUNDS = 4;

  @TempDir Path directory;

  private static StoreOptions options() {
    return StoreOptions.defaults().diskBytesMax(QUOTA).durability(Durability.BACKGROUND);
  }

  private static byte[] value(int number, int bytes) {
    byte[] value = new byte[bytes];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  /// Puts values of so many bytes until one is refused.
  ///
  /// @return how many were taken
  private static int fill(Space space, int valueBytes) {
    for (int i = 0; ; i++) {
      try {
        space.put(Bytes.of(i), value(i, valueBytes));
      } catch (StoreFullException e) {
        return i;
      }
    }
  }

  /// Fills a store, deletes all, and fills it again, some times.
  private static void refill(Store store, int valueBytes) {
    Space space = store.space("s");
    int first = fill(space, valueBytes);
    assertThat((long) first * valueBytes).as("bytes taken").isGreaterThan(QUOTA / 3);
    for (int round = 1; round < ROUNDS; round++) {
      assertThat(space.deleteRange(Range.all())).isPositive();
      int count = fill(space, valueBytes);
      assertThat(count)
          .as("values of %d bytes taken in round %d", valueBytes, round)
          .isGreaterThan(first * 4 / 5);
    }
    for (int i = 0; i < first * 4 / 5; i++) {
      assertThat(space.get(Bytes.of(i))).isEqualTo(value(i, valueBytes));
    }
    store.verify().requireSound();
  }

  /// Guards against a log that takes what a checkpoint releases from the reserve, for a segment
  /// that no commit waits for (M2). No later checkpoint found capacity then, and all puts were
  /// refused.
  @Test
  void smallValues() {
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), options())) {
      refill(store, 500);
    }
  }

  @Test
  void largeValues() {
    for (int valueBytes : new int[] {10_000, 120_000}) {
      try (Store store = SimulatedStore.open(new SimulatedDisk(1), options())) {
        refill(store, valueBytes);
      }
    }
  }

  /// Their chunks are forced to the page file before the log names them.
  @Test
  void valuesOfManyChunks() {
    StoreOptions options = options().diskBytesMax(4 * QUOTA);
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), options)) {
      refill(store, 3_000_000);
    }
  }

  @Test
  void realFiles() {
    try (Store store = Store.open(directory, options())) {
      refill(store, 120_000);
    }
  }

  /// Asynchronous puts wait as others do before they return; what they promised is kept.
  @Test
  void asynchronousPuts() {
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), options())) {
      Space space = store.space("s");
      int count = fill(space, 1_000);
      space.deleteRange(Range.all());
      for (int i = 0; i < count / 2; i++) {
        byte[] key = Bytes.of(i);
        var put = NonBlockingSpace.of(space).tryPut(key, value(i, 1_000));
        (put == null ? space.async().put(key, value(i, 1_000)) : put).toCompletableFuture().join();
      }
      assertThat(space.count(Range.all())).isEqualTo(count / 2);
    }
  }

  /// What a snapshot holds does not come back: the put is refused after a bounded number of
  /// checkpoints, while reads and deletes continue. The next put after the close of the snapshot is
  /// taken.
  @Test
  void whatASnapshotHoldsIsRefusedAndThenFreed() {
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), options())) {
      Space space = store.space("s");
      int count = fill(space, 120_000);
      try (Snapshot snapshot = store.snapshot()) {
        space.deleteRange(Range.all());
        long checkpoints = store.statistics().checkpoints().count();
        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < count; i++) {
                    space.put(Bytes.of(i), value(i, 120_000));
                  }
                })
            .isInstanceOf(StoreFullException.class);
        assertThat(store.statistics().checkpoints().count() - checkpoints)
            .isLessThan(count / 2 + 20);
        space.delete(Bytes.of(0));
        assertThat(snapshot.get(space, Bytes.of(0))).isEqualTo(value(0, 120_000));
      }
      for (int i = 0; i < count * 4 / 5; i++) {
        space.put(Bytes.of(i), value(i, 120_000));
      }
    }
  }
}
