package io.varve.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import io.varve.internal.file.PageFile;
import io.varve.test.DiskOperation;
import io.varve.test.Fault;
import io.varve.test.FaultPlan;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.io.FileNotFoundException;
import org.junit.jupiter.api.Test;

/// What checkpoints free, and what a store can do after one that failed.
class CheckpointerTest {
  private static final StoreOptions SMALL =
      StoreOptions.defaults()
          .pageBytes(1024)
          .cacheBytes(1 << 20)
          .log(log -> log.bufferBytes(1 << 16).segmentBytes(1 << 18).bytesMax(1 << 20));
  private static final int KEYS = 40;

  private final SimulatedDisk disk = new SimulatedDisk(1);

  private static void fill(Space space, int value) {
    for (int i = 0; i < KEYS; i++) {
      space.put(new byte[] {(byte) i}, value(value));
    }
  }

  private static byte[] value(int number) {
    byte[] value = new byte[500];
    value[0] = (byte) number;
    return value;
  }

  private static void requireFilled(Store store, int value) {
    for (int i = 0; i < KEYS; i++) {
      assertThat(store.space("s").get(new byte[] {(byte) i})).isEqualTo(value(value));
    }
    store.verify().requireSound();
  }

  /// An epoch that stays held, of a checkpoint or a verification, would keep all that comes after.
  @Test
  void whatIsReplacedAgainAndAgainTakesNoMoreOfTheFile() throws FileNotFoundException {
    try (Store store = SimulatedStore.open(disk, SMALL)) {
      int before = 0;
      for (int round = 0; round < 12; round++) {
        fill(store.space("s"), round);
        store.checkpoint();
        store.verify().requireSound();
        if (round == 5) {
          before = disk.content(PageFile.NAME).length;
        }
      }
      assertThat(disk.content(PageFile.NAME).length).isLessThanOrEqualTo(before + (8 << 10));
      requireFilled(store, 11);
    }
  }

  /// Nor may one that was refused leave its epoch held: on a full disk that happens again and
  /// again.
  @Test
  void checkpointsThatAreRefusedTakeNoMoreOfTheFile() throws FileNotFoundException {
    try (Store store = SimulatedStore.open(disk, SMALL)) {
      int before = 0;
      for (int round = 0; round < 12; round++) {
        fill(store.space("s"), round);
        disk.faults(
            FaultPlan.always(
                call ->
                    call.operation() == DiskOperation.WRITE && call.name().equals(PageFile.NAME),
                Fault.DISK_FULL));
        assertThatThrownBy(store::checkpoint).isInstanceOf(StoreFullException.class);
        disk.faults(FaultPlan.none());
        store.checkpoint();
        if (round == 5) {
          before = disk.content(PageFile.NAME).length;
        }
      }
      assertThat(disk.content(PageFile.NAME).length).isLessThanOrEqualTo(before + (8 << 10));
      requireFilled(store, 11);
    }
  }

  @Test
  void afterAForceThatFailedTheStoreIsToBeOpenedAgain() {
    try (Store store = SimulatedStore.open(disk, SMALL)) {
      fill(store.space("s"), 1);
      disk.faults(
          FaultPlan.always(
              call -> call.operation() == DiskOperation.FORCE && call.name().equals(PageFile.NAME),
              Fault.IO_ERROR));
      assertThatThrownBy(store::checkpoint)
          .isInstanceOf(StoreFailedException.class)
          .hasMessageContainingAll("checkpoint failed", "file=", "reopen");
      disk.faults(FaultPlan.none());
      assertThatThrownBy(() -> fill(store.space("s"), 2)).isInstanceOf(StoreFailedException.class);
      assertThatThrownBy(store::checkpoint).isInstanceOf(StoreFailedException.class);
    }
    try (Store store = SimulatedStore.open(disk.powerCut(), SMALL)) {
      requireFilled(store, 1);
    }
  }

  @Test
  void afterACheckpointWithoutCapacityTheNextOneHoldsAll() {
    try (Store store = SimulatedStore.open(disk, SMALL)) {
      Space space = store.space("s");
      fill(space, 1);
      store.checkpoint();
      fill(space, 2);
      long count = store.statistics().checkpoints().count();
      disk.faults(
          FaultPlan.always(
              call -> call.operation() == DiskOperation.WRITE && call.name().equals(PageFile.NAME),
              Fault.DISK_FULL));
      assertThatThrownBy(store::checkpoint)
          .isInstanceOf(StoreFullException.class)
          .hasMessageContainingAll("no capacity for a checkpoint", "stays in force");
      assertThat(store.statistics().checkpoints().count()).isEqualTo(count);
      disk.faults(FaultPlan.none());
      store.checkpoint();
      assertThat(store.statistics().checkpoints().count()).isEqualTo(count + 1);
      requireFilled(store, 2);
    }
    try (Store store = SimulatedStore.open(disk.powerCut(), SMALL)) {
      requireFilled(store, 2);
    }
  }

  @Test
  void figuresCountWhatCheckpointsWroteAndTheTimeThatTheyTook() {
    try (Store store = SimulatedStore.open(disk, SMALL)) {
      fill(store.space("s"), 1);
      store.checkpoint();
      var first = store.statistics().checkpoints();
      assertThat(first.count()).isPositive();
      assertThat(first.lastNanos()).isPositive();
      assertThat(first.totalNanos()).isGreaterThanOrEqualTo(first.lastNanos());
      assertThat(first.writtenBytes()).isPositive();
      fill(store.space("s"), 2);
      store.checkpoint();
      var second = store.statistics().checkpoints();
      assertThat(second.count()).isEqualTo(first.count() + 1);
      assertThat(second.totalNanos()).isEqualTo(first.totalNanos() + second.lastNanos());
      assertThat(second.writtenBytes()).isGreaterThan(first.writtenBytes());
    }
  }
}
