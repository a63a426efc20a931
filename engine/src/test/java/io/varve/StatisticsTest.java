package io.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.item.Item;
import io.varve.item.ItemSpace;
import io.varve.item.ItemStatistics;
import io.varve.test.Fault;
import io.varve.test.FaultPlan;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The figures of stores, spaces and item spaces.
class StatisticsTest {
  /// More than memory holds.
  private static final int KEYS = 8000;

  private static final int FEW_KEYS = 500;

  private static final StoreOptions OPTIONS =
      StoreOptions.defaults()
          .pageBytes(1024)
          .cacheBytes(1 << 20)
          .log(log -> log.bufferBytes(1 << 20))
          .durability(Durability.BACKGROUND);

  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private static Store filled(int keys) {
    return filled(new SimulatedDisk(1), keys);
  }

  private static Store filled(SimulatedDisk disk, int keys) {
    Store store = SimulatedStore.open(disk, OPTIONS);
    Space space = store.space("s");
    for (int i = 0; i < keys; i++) {
      space.put(key(i), new byte[200]);
    }
    return store;
  }

  @Test
  void readsOfPagesAreHitsOrMissesAndBytes() {
    try (Store store = filled(KEYS)) {
      store.checkpoint();
      Statistics before = store.statistics();
      for (int i = 0; i < KEYS; i++) {
        store.space("s").get(key(i));
      }
      Statistics after = store.statistics();
      long misses = after.cache().misses() - before.cache().misses();
      assertThat(misses).isPositive();
      long reads = after.cache().hits() - before.cache().hits() + misses;
      assertThat(reads).isBetween(KEYS - KEYS / 100L, KEYS + KEYS / 100L);
      assertThat(after.cache().loads() - before.cache().loads()).isGreaterThanOrEqualTo(misses);
      assertThat(after.disk().readBytes() - before.disk().readBytes()).isGreaterThan(200 * misses);
      assertThat(after.disk().writtenBytes()).isGreaterThan(200L * KEYS);
      assertThat(after.checkpoints().count()).isPositive();
      assertThat(after.checkpoints().totalNanos())
          .isGreaterThanOrEqualTo(after.checkpoints().lastNanos());
    }
  }

  @Test
  void forcesAreCountedByTheirTime() {
    try (Store store = filled(FEW_KEYS)) {
      store.space("s").with(Durability.POWER_LOSS).put(key(1), new byte[1]);
      Statistics now = store.statistics();
      assertThat(now.log().forceTimes().count())
          .isPositive()
          .isLessThanOrEqualTo(now.log().forces());
      assertThat(now.log().forceTimes().nanos(0.99))
          .isGreaterThanOrEqualTo(now.log().forceTimes().nanos(0.5));
      assertThat(now.log().forceTimes().totalNanos()).isPositive();
    }
  }

  /// A log of a megabyte is full before the checkpoint that is to release it: each page that this
  /// writes waits until the writer of the log does. Alone on a machine it was always in time.
  @Test
  @Timeout(300)
  void waitsForTheLogAreCountedByWhatWasInTheWay() {
    StoreOptions small =
        OPTIONS.log(log -> log.bufferBytes(1 << 16).segmentBytes(1 << 18).bytesMax(1 << 20));
    Thread writer = Thread.currentThread();
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, small)) {
      disk.faults(call -> {
        while (call.name().equals("pages")
            && Thread.currentThread() != writer
            && writer.getState() == Thread.State.RUNNABLE) {
          Thread.onSpinWait();
        }
        return Fault.NONE;
      });
      Space space = store.space("s");
      for (int i = 0; store.statistics().log().waits().checkpointNanos() == 0; i++) {
        space.put(key(i % KEYS), new byte[200]);
      }
      disk.faults(FaultPlan.none());
      Statistics.LogWaitFigures waits = store.statistics().log().waits();
      assertThat(waits.bufferNanos()).isNotNegative();
      assertThat(waits.segmentNanos()).isNotNegative();
      store.verify().requireSound();
    }
  }

  @Test
  void conflictsAreCounted() {
    try (Store store = filled(FEW_KEYS);
        Transaction transaction = store.begin()) {
      Space space = store.space("s");
      transaction.get(space, key(1));
      transaction.put(space, key(2), new byte[1]);
      space.put(key(1), new byte[1]);
      assertThatThrownBy(transaction::commit).isInstanceOf(ConflictException.class);
      assertThat(store.statistics().commits().conflicts()).isEqualTo(1);
    }
  }

  /// In memory, where no checkpoint holds an epoch in addition.
  @Test
  void anOpenSnapshotHoldsAnEpoch() {
    try (Store store = Store.inMemory()) {
      Space space = store.space("s");
      space.put(key(1), new byte[1]);
      assertThat(store.statistics().snapshots().oldestEpoch())
          .isEqualTo(store.statistics().snapshots().epoch());
      try (Snapshot _ = store.snapshot()) {
        space.put(key(1), new byte[1]);
        Statistics now = store.statistics();
        assertThat(now.snapshots().oldestEpoch()).isLessThan(now.snapshots().epoch());
        assertThat(now.snapshots().open()).hasSize(1);
      }
      assertThat(store.statistics().snapshots().oldestEpoch())
          .isEqualTo(store.statistics().snapshots().epoch());
    }
  }

  @Test
  void aSpaceIsMeasuredDirtyAndWritten() {
    try (Store store = filled(FEW_KEYS)) {
      Space space = store.space("s");
      requireMeasured(space);
      store.checkpoint();
      requireMeasured(space);
      SpaceStatistics empty = store.space("empty").statistics();
      assertThat(empty.name()).isEqualTo("empty");
      assertThat(empty.entries()).isZero();
      assertThat(empty.bytes()).isEqualTo(1024 * 2 / 3);
      assertThat(empty.depth()).isEqualTo(1);
      assertThat(empty.leaves()).isEqualTo(1);
      assertThat(empty.leavesInMemory()).isEqualTo(1);
    }
  }

  /// The cache has a fifth of the leaves at most.
  @Test
  void leavesInMemoryAreThoseThatWereReadLast() {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = filled(disk, KEYS)) {
      SpaceStatistics now = store.space("s").statistics();
      assertThat(now.leaves()).isBetween(KEYS / 5L, KEYS / 2L);
    }
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      SpaceStatistics before = store.space("s").statistics();
      assertThat(before.leavesInMemory()).isZero();
      for (int i = 0; i < KEYS; i++) {
        store.space("s").get(key(i));
      }
      SpaceStatistics after = store.space("s").statistics();
      assertThat(after.leaves()).isEqualTo(before.leaves());
      assertThat(after.leavesInMemory()).isBetween(1L, after.leaves() / 2);
    }
  }

  private static void requireMeasured(Space space) {
    SpaceStatistics now = space.statistics();
    assertThat(now.name()).isEqualTo("s");
    assertThat(now.entries()).isEqualTo(FEW_KEYS);
    assertThat(now.bytes()).isBetween(100L * FEW_KEYS, 400L * FEW_KEYS);
    assertThat(now.depth()).isBetween(2, 5);
  }

  @Test
  void anItemSpaceShowsWhatIsNotCommitted() {
    try (Store store = Store.inMemory()) {
      ItemSpace items = store.items("items");
      items.insert(Item.of("a"));
      items.commit();
      items.insert(Item.of("b"));
      ItemStatistics now = items.statistics();
      assertThat(now.merged().entries()).isEqualTo(1);
      assertThat(now.layers()).isZero();
      assertThat(now.uncommittedChanges()).isEqualTo(1);
      assertThat(now.uncommittedBytes()).isPositive();
      items.rollback();
      assertThat(items.statistics().uncommittedChanges()).isZero();
    }
  }

  @Test
  void aHistogramKnowsSharesAndTotal() {
    Histogram times = Histogram.of(new long[] {0, 3, 0, 1}, 17);
    assertThat(times.count()).isEqualTo(4);
    assertThat(times.nanos(0.5)).isEqualTo(4);
    assertThat(times.nanos(1)).isEqualTo(16);
    assertThat(times).isEqualTo(Histogram.of(times.counts(), 17));
    assertThat(Histogram.EMPTY.nanos(0.99)).isZero();
    long[] ages = new long[Long.SIZE];
    ages[Long.SIZE - 1] = 1;
    assertThat(Histogram.of(ages, Long.MAX_VALUE).nanos(0.5)).isEqualTo(Long.MAX_VALUE);
    for (double noShare : new double[] {-0.1, 1.1, 99, Double.NaN}) {
      assertThatThrownBy(() -> times.nanos(noShare)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
