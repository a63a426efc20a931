package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.ConflictException;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.Transaction;
import org.junit.jupiter.api.Test;

/// A transaction that was not committed holds nothing, although the disk cannot be read while it
/// ends.
class AbortedTransactionTest {
  private static final byte[] KEY = Bytes.of("key");
  private static final byte[] LARGE = Bytes.of("large");

  /// Of several chunks, whose extents an index names; too long for the log.
  private final byte[] value = new byte[3 << 20];

  private final SimulatedDisk disk = new SimulatedDisk(1);
  private final StoreOptions options = StoreOptions.defaults().archiveLog(true);

  private void failReads() {
    disk.faults(
        FaultPlan.nth(
            1,
            call -> call.operation() == DiskOperation.READ && call.name().equals("pages"),
            Fault.IO_ERROR));
  }

  private static void requireNothingHeld(Store store) {
    assertThat(store.statistics().snapshots().open()).isEmpty();
    store.verify().requireSound();
  }

  @Test
  void aCloseEndsTheSnapshotThoughAnIndexCannotBeRead() {
    try (Store store = SimulatedStore.open(disk, options)) {
      Space space = store.space("s");
      try (Transaction transaction = store.begin()) {
        transaction.get(space, KEY);
        transaction.put(space, LARGE, value);
        failReads();
      }
      disk.faults(FaultPlan.none());
      requireNothingHeld(store);
    }
  }

  @Test
  void aConflictStaysTheOneThatIsThrown() {
    try (Store store = SimulatedStore.open(disk, options)) {
      Space space = store.space("s");
      try (Transaction transaction = store.begin()) {
        transaction.get(space, KEY);
        transaction.put(space, LARGE, value);
        space.put(KEY, KEY);
        failReads();
        assertThatThrownBy(transaction::commit).isInstanceOf(ConflictException.class);
      }
      disk.faults(FaultPlan.none());
      requireNothingHeld(store);
    }
  }
}
