package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.StoreOptions;
import java.io.ByteArrayInputStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A drop whose reads fail: the space is gone, and all of its extents become free.
@Timeout(
    value = 30,
    threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // less than a checkpoint interval
class UnreadableDropTest {
  private static final int KEYS = 600;
  private static final int EXTENTS_FROM = 32_768;
  private static final String GONE = "gone";

  private final StoreOptions options = Stores.tiny().durability(Durability.BACKGROUND);

  /// A read that failed once left the page and what it led to in the file forever, and every
  /// verification found the leak.
  @ParameterizedTest
  @MethodSource("reads")
  void failedReadOfADropLeaksNothing(long read) {
    SimulatedDisk disk = stored();
    try (Store store = SimulatedStore.open(disk, options)) {
      store.findSpace(GONE);
      disk.faults(FaultPlan.nth(read, UnreadableDropTest::isReadOfExtent, Fault.IO_ERROR));
      assertThat(store.dropSpace(GONE)).isTrue();
      disk.faults(FaultPlan.none());
      store.verify().requireSound();
    }
    try (Store store = SimulatedStore.open(disk, options)) {
      assertThat(store.spaceNames()).containsExactly("stays");
      store.verify().requireSound();
    }
  }

  static LongStream reads() {
    return LongStream.of(1, 2, 3, 7, 20);
  }

  /// No checkpoint comes before the crash, so that the next open drops the space again.
  @Test
  void dropOnDiskThatCannotBeReadSurvivesCrash() {
    SimulatedDisk disk = stored();
    Store store = SimulatedStore.open(disk, options);
    disk.faults(FaultPlan.always(UnreadableDropTest::isReadOfExtent, Fault.IO_ERROR));
    assertThat(store.dropSpace(GONE)).isTrue();
    store.awaitDurable(store.lastCommit());
    SimulatedDisk crashed = disk.processCrash();
    store.close();
    try (Store after = SimulatedStore.open(crashed, options)) {
      assertThat(after.spaceNames()).containsExactly("stays");
      after.verify().requireSound();
    }
  }

  /// A sector that is bad for good must not keep checkpoints from being written.
  @Test
  void pageThatStaysUnreadableStopsNoCheckpoint() {
    SimulatedDisk disk = stored();
    try (Store store = SimulatedStore.open(disk, options)) {
      disk.faults(FaultPlan.always(UnreadableDropTest::isReadOfExtent, Fault.IO_ERROR));
      assertThat(store.dropSpace(GONE)).isTrue();
      int refused = 0;
      while (!isCheckpointWritten(store)) {
        assertThat(++refused).isLessThan(10);
      }
      assertThat(refused).isPositive();
    }
  }

  /// No caller misses what is damaged in a space that is gone: the store does not fail for it. What
  /// it leads to stays in the file, and a warning reports it.
  @Test
  void aDamagedPageOfADropFailsNoStore() {
    SimulatedDisk disk = stored();
    try (Store store = SimulatedStore.open(disk, options);
        Warnings warnings = removalWarnings()) {
      disk.faults(FaultPlan.always(UnreadableDropTest::isReadOfExtent, Fault.BIT_FLIPPED));
      assertThat(store.dropSpace(GONE)).isTrue();
      store.checkpoint();
      disk.faults(FaultPlan.none());
      assertThat(warnings.messages()).isNotEmpty().allMatch(text -> text.contains("space=" + GONE));
      store.space("stays").with(Durability.POWER_LOSS).put(Bytes.of(2), new byte[10]);
      store.checkpoint();
      assertThat(store.space(GONE).count(Range.all())).isZero();
    }
    try (Store store = SimulatedStore.open(disk, options)) {
      assertThat(store.spaceNames()).containsExactly(GONE, "stays");
      assertThat(store.space("stays").count(Range.all())).isEqualTo(2);
      store.space("stays").with(Durability.POWER_LOSS).put(Bytes.of(3), new byte[10]);
    }
  }

  /// A removal that an open continues passes over what is damaged, inner pages and leaves: the
  /// store opens and is written, and one line reports it, however many pages there are.
  @Test
  void aResumedDropOfADamagedTreeWarnsOnce() {
    SimulatedDisk disk = stored();
    Store store = SimulatedStore.open(disk, options);
    disk.faults(FaultPlan.always(UnreadableDropTest::isReadOfExtent, Fault.IO_ERROR));
    assertThat(store.dropSpace(GONE)).isTrue();
    store.awaitDurable(store.lastCommit());
    SimulatedDisk crashed = disk.processCrash();
    store.close();
    Thread opener = Thread.currentThread();
    crashed.faults(
        FaultPlan.always(
            call -> isReadOfExtent(call) && Thread.currentThread() != opener, Fault.BIT_FLIPPED));
    try (Warnings warnings = removalWarnings();
        Store after = SimulatedStore.open(crashed, options)) {
      crashed.faults(FaultPlan.always(UnreadableDropTest::isReadOfExtent, Fault.BIT_FLIPPED));
      after.checkpoint();
      assertThat(warnings.messages()).hasSize(1).allMatch(text -> text.contains("space=" + GONE));
      crashed.faults(FaultPlan.none());
      after.space("stays").with(Durability.POWER_LOSS).put(Bytes.of(2), new byte[10]);
      after.checkpoint();
    }
    try (Warnings warnings = removalWarnings();
        Store after = SimulatedStore.open(crashed, options)) {
      assertThat(after.spaceNames()).containsExactly("stays");
      assertThat(after.space("stays").count(Range.all())).isEqualTo(2);
      after.checkpoint();
      assertThat(warnings.messages()).isEmpty();
    }
  }

  /// The same of an index of a large value, which is read after the commit of its delete.
  @Test
  void anIndexThatStaysUnreadableStopsNoCheckpoint() {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, options)) {
      store.space("stays").put(Bytes.of(1), new ByteArrayInputStream(new byte[3 << 20]), 3 << 20);
      store.space("stays").put(Bytes.of(2), new byte[10]);
    }
    try (Store store = SimulatedStore.open(disk, options)) {
      store.space("stays").get(Bytes.of(2));
      disk.faults(FaultPlan.always(UnreadableDropTest::isReadOfExtent, Fault.IO_ERROR));
      assertThat(store.space("stays").delete(Bytes.of(1))).isNotNull();
      int refused = 0;
      while (!isCheckpointWritten(store)) {
        assertThat(++refused).isLessThan(10);
      }
      assertThat(refused).isPositive();
    }
    disk.faults(FaultPlan.none());
    try (Store store = SimulatedStore.open(disk, options)) {
      assertThat(store.space("stays").count(Range.all())).isEqualTo(1);
      store.space("stays").put(Bytes.of(3), new byte[10]);
    }
  }

  /// A page may be damaged as it was read, and intact in the file. The next open then removes the
  /// dropped space, if no checkpoint has counted it as removed.
  @Test
  void aDropThatWasReadDamagedIsFinishedAfterACrash() {
    SimulatedDisk disk = stored();
    Store store = SimulatedStore.open(disk, options);
    disk.faults(FaultPlan.always(UnreadableDropTest::isReadOfExtent, Fault.BIT_FLIPPED));
    assertThat(store.dropSpace(GONE)).isTrue();
    store.awaitDurable(store.lastCommit());
    SimulatedDisk crashed = disk.processCrash();
    disk.faults(FaultPlan.none());
    store.close();
    try (Store after = SimulatedStore.open(crashed, options)) {
      assertThat(after.spaceNames()).containsExactly("stays");
      after.verify().requireSound();
      after.compact();
      assertThat(after.statistics().disk().pageFileBytes()).isLessThan(EXTENTS_FROM * 4);
    }
  }

  /// What the log of the removal of dropped spaces reports.
  private static Warnings removalWarnings() {
    return new Warnings("io.varve.internal.tree.TreeRemoval");
  }

  /// What the file holds before its extents can be read.
  private static boolean isReadOfExtent(DiskCall call) {
    return call.operation() == DiskOperation.READ && call.position() >= EXTENTS_FROM;
  }

  private static boolean isCheckpointWritten(Store store) {
    try {
      store.checkpoint();
      return true;
    } catch (StoreIoException _) {
      return false;
    }
  }

  private SimulatedDisk stored() {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, options)) {
      store.space("stays").put(Bytes.of(1), new byte[10]);
      Space gone = store.space(GONE);
      for (int i = 0; i < KEYS; i++) {
        gone.put(Bytes.of(i), new byte[i % 50 == 0 ? 20_000 : 200]);
      }
    }
    return disk;
  }
}
