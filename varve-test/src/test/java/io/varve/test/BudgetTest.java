package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.StoreOptions;
import io.varve.Transaction;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One budget bounds the pages in memory, and one cap bounds the log, whatever the load.
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BudgetTest {
  private static final int KEYS = 200_000;
  private static final int CHANGES = 200;
  private static final int WRITERS = 4;

  /// Each transaction dirties about as many pages as it changes keys.
  @Test
  void transactionsThatDirtyManyPagesWaitForTheCheckpoint(@TempDir Path directory)
      throws Exception {
    long cacheBytes = 8 << 20;
    StoreOptions options =
        StoreOptions.defaults().durability(Durability.BACKGROUND).cacheBytes(cacheBytes);
    AtomicLong most = new AtomicLong();
    try (Store store = Store.open(directory, options)) {
      Space space = store.space("s");
      for (int i = 0; i < KEYS; i += 1000) {
        int first = i;
        store.transact(tx -> {
          for (int j = first; j < first + 1000; j++) {
            tx.put(space, Bytes.of(j), new byte[100]);
          }
        });
      }
      store.checkpoint();
      Threads threads = new Threads();
      for (int w = 0; w < WRITERS; w++) {
        SplittableRandom random = new SplittableRandom(w);
        threads.start(() -> {
          for (int i = 0; i < 60; i++) {
            try (Transaction transaction = store.begin()) {
              for (int j = 0; j < CHANGES; j++) {
                transaction.put(space, Bytes.of(random.nextInt(KEYS)), new byte[100]);
              }
              transaction.commit();
            }
            most.accumulateAndGet(store.statistics().cache().dirtyBytes(), Math::max);
          }
        });
      }
      threads.join();
      // The last of each writer may find the budget just kept.
      long pageBytes = store.options().pageBytes() + 200L;
      assertThat(most.get()).isLessThan(cacheBytes + WRITERS * CHANGES * pageBytes);
      store.verify().requireSound();
    }
  }

  /// Pages whose write a full disk refused, and that were replaced before it was tried again, count
  /// no more.
  @Test
  void aFullDiskLeavesNoDirtyBytes() {
    Seeds.forEach(
        10,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          SimulatedDisk disk = new SimulatedDisk(seed);
          try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
            Space space = store.space("s");
            for (int round = 0; round < 12; round++) {
              for (int i = 0; i < 400; i++) {
                space
                    .with(Durability.BACKGROUND)
                    .put(Bytes.of(random.nextInt(3000)), new byte[100]);
              }
              disk.faults(
                  FaultPlan.always(
                      call ->
                          call.operation() == DiskOperation.WRITE && call.name().equals("pages"),
                      Fault.DISK_FULL));
              assertThatThrownBy(store::checkpoint).isInstanceOf(StoreFullException.class);
              for (int i = 0; i < 200; i++) {
                space
                    .with(Durability.BACKGROUND)
                    .put(Bytes.of(random.nextInt(3000)), new byte[100]);
              }
              disk.faults(FaultPlan.none());
              store.checkpoint();
              assertThat(store.statistics().cache().dirtyBytes()).isZero();
            }
            store.verify().requireSound();
          }
        });
  }

  /// The index of a value of several chunks is read when a checkpoint accounts for its space.
  @Test
  void aFailedReadOfAnIndexForgetsNoLargeValue() {
    SimulatedDisk disk = new SimulatedDisk(1);
    byte[] value = new byte[3 << 20];
    new SplittableRandom(1).nextBytes(value);
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      store.space("s").put(Bytes.of(1), value);
      disk.faults(FaultPlan.nth(1, DiskOperation.READ, Fault.IO_ERROR));
      assertThatThrownBy(store::checkpoint).isInstanceOf(StoreIoException.class);
      disk.faults(FaultPlan.none());
      store.checkpoint();
      store.verify().requireSound();
    }
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      store.space("s").put(Bytes.of(2), new byte[3 << 20]);
      assertThat(store.space("s").get(Bytes.of(1))).isEqualTo(value);
      store.verify().requireSound();
    }
  }

  @Test
  void aLogCapBelowTheBufferIsKept(@TempDir Path directory) {
    StoreOptions options =
        StoreOptions.defaults()
            .durability(Durability.BACKGROUND)
            .log(log -> log.bufferBytes(16 << 20).bytesMax(2 << 20));
    for (int open = 0; open < 3; open++) {
      try (Store store = Store.open(directory, options)) {
        Space space = store.space("s");
        for (int i = 0; i < 4000; i++) {
          space.put(Bytes.of(i), new byte[1000]);
          assertThat(store.statistics().log().retainedBytes()).isLessThanOrEqualTo(2 << 20);
        }
      }
    }
  }
}
