package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A drop is a short commit: the tree is removed after it, in parts, whatever happens in between.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DroppedSpacesTest {
  private static final String GONE = "gone";
  private static final int KEYS = 3_000;
  private static final int LARGE_BYTES = 20_000;

  private final StoreOptions options =
      Stores.tiny().cacheBytes(1 << 20).durability(Durability.BACKGROUND);

  private static void fill(Space space) {
    SplittableRandom random = new SplittableRandom(3);
    byte[] value = new byte[600];
    for (int i = 0; i < KEYS; i++) {
      random.nextBytes(value);
      space.put(Bytes.of(i), i % 500 == 0 ? new byte[LARGE_BYTES] : value);
    }
  }

  private SimulatedDisk stored() {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, options)) {
      store.space("stays").put(Bytes.of(1), new byte[10]);
      fill(store.space(GONE));
    }
    return disk;
  }

  /// The drop read every leaf, under the locks of the space, of all spaces, and of checkpoints.
  @Test
  void theCommitOfADropReadsNoPage() {
    SimulatedDisk disk = stored();
    try (Store store = SimulatedStore.open(disk, options)) {
      Thread dropping = Thread.currentThread();
      AtomicInteger reads = new AtomicInteger();
      disk.faults(call -> {
        if (call.operation() == DiskOperation.READ && Thread.currentThread() == dropping) {
          reads.incrementAndGet();
        }
        return Fault.NONE;
      });
      assertThat(store.dropSpace(GONE)).isTrue();
      disk.faults(FaultPlan.none());
      assertThat(reads.get()).as("reads by the thread that drops").isZero();
      Space again = store.space(GONE);
      assertThat(again.count(Range.all())).isZero();
      again.put(Bytes.of(1), Bytes.of(2));
      store.compact();
      assertThat(store.statistics().disk().pageFileBytes()).isLessThan(1 << 20);
      store.verify().requireSound();
    }
    try (Store store = SimulatedStore.open(disk, options)) {
      assertThat(store.spaceNames()).containsExactly(GONE, "stays");
      assertThat(store.space(GONE).get(Bytes.of(1))).isEqualTo(Bytes.of(2));
      store.verify().requireSound();
    }
  }

  /// Cuts the power at one call after the other from the drop on: each time, an open continues with
  /// what was not removed yet, and no extent is lost or freed twice (DS-1).
  @Test
  void powerCutsWhileATreeIsRemovedLeakNothing() {
    int gone = 0;
    for (int call = 1; call < 200; call += call < 30 ? 1 : 7) {
      SimulatedDisk disk = stored();
      try (Store store = SimulatedStore.open(disk, options)) {
        Space stays = store.space("stays");
        disk.cutPowerAtCall(call);
        try {
          store.dropSpace(GONE);
          for (int i = 0; i < 40; i++) {
            stays.put(Bytes.of(i), new byte[100]);
            store.checkpoint();
          }
        } catch (VarveException e) {
          // the power was cut
        }
        disk.turnOff();
      } catch (VarveException e) {
        // nothing can be closed any more
      }
      try (Store store = SimulatedStore.open(disk.powerCut(), options)) {
        store.verify().requireSound();
        gone += store.spaceNames().contains(GONE) ? 0 : 1;
        if (store.findSpace(GONE) != null) {
          assertThat(store.space(GONE).count(Range.all())).isEqualTo(KEYS);
          store.dropSpace(GONE);
        }
        store.compact();
        store.verify().requireSound();
        assertThat(store.statistics().disk().pageFileBytes())
            .as("call %d", call)
            .isLessThan(1 << 20);
      }
    }
    assertThat(gone).as("drops that survived").isPositive();
  }

  /// A cursor of a snapshot continues over the pages that are removed after the snapshot (DS-2).
  @Test
  void aSnapshotKeepsWhatItReaches() {
    SimulatedDisk disk = stored();
    try (Store store = SimulatedStore.open(disk, options)) {
      try (Snapshot snapshot = store.snapshot();
          Cursor cursor = snapshot.cursor(store.space(GONE), Range.all())) {
        assertThat(cursor.next()).isTrue();
        store.dropSpace(GONE);
        for (int i = 0; i < 6; i++) {
          store.space("stays").put(Bytes.of(i), new byte[LARGE_BYTES]);
          store.checkpoint();
        }
        int count = 1;
        while (cursor.next()) {
          assertThat(cursor.value()).hasSizeGreaterThanOrEqualTo(600);
          count++;
        }
        assertThat(count).isEqualTo(KEYS);
        store.verify().requireSound();
      }
      store.compact();
      assertThat(store.statistics().disk().pageFileBytes()).isLessThan(2 << 20);
      store.verify().requireSound();
    }
  }

  /// A store that is closed while a tree is removed continues when it is opened.
  @Test
  void aCloseEndsNothingThatTheNextOpenDoesNotContinue() {
    SimulatedDisk disk = stored();
    for (int i = 0; i < 3; i++) {
      try (Store store = SimulatedStore.open(disk, options)) {
        store.dropSpace(GONE);
      }
    }
    try (Store store = SimulatedStore.open(disk, options)) {
      assertThat(store.spaceNames()).containsExactly("stays");
      store.verify().requireSound();
      store.compact();
      assertThat(store.statistics().disk().pageFileBytes()).isLessThan(1 << 20);
    }
  }

  /// What is noted of each large value waited for the next checkpoint, and filled the heap: removal
  /// makes almost nothing dirty, so none came.
  @Test
  void largeValuesOfADropWaitForNoCheckpoint() throws InterruptedException {
    int count = 40_000;
    byte[] value = new byte[300];
    SimulatedDisk disk = new SimulatedDisk(2);
    StoreOptions hourly = options.checkpointInterval(Duration.ofHours(1));
    try (Store store = SimulatedStore.open(disk, hourly)) {
      Space gone = store.space(GONE);
      for (int i = 0; i < count; i++) {
        gone.put(Bytes.of(i), value);
      }
    }
    try (Store store = SimulatedStore.open(disk, hourly)) {
      long before = store.statistics().checkpoints().count();
      store.dropSpace(GONE);
      while (store.statistics().disk().freeBytes() < count / 4 * 512L) {
        Thread.sleep(1);
      }
      assertThat(store.statistics().checkpoints().count()).isEqualTo(before);
      store.verify().requireSound();
    }
  }

  /// The pages of spaces in memory are no one's but the collector's.
  @Test
  void aStoreInMemory() {
    try (Store store = Store.inMemory()) {
      fill(store.space(GONE));
      assertThat(store.dropSpace(GONE)).isTrue();
      assertThat(store.space(GONE).count(Range.all())).isZero();
    }
  }
}
