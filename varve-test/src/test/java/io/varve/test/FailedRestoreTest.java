package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Commit;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.admin.BackupOptions;
import io.varve.admin.RestoreTo;
import org.junit.jupiter.api.Test;

/// A restore to a commit applies log in memory. It has succeeded when that is on the disk, whatever
/// fails there.
class FailedRestoreTest {
  /// The log fails in a thread of its own: before, during or after what the restore writes.
  private static final int ATTEMPTS = 40;

  @Test
  void aRestoreWhoseOwnLogFailsIsRefusedOrWhole() {
    SimulatedDisk backups = new SimulatedDisk(1);
    Commit wanted;
    Model expected;
    try (Store store = SimulatedStore.open(new SimulatedDisk(2), Stores.tiny().archiveLog(true))) {
      Space space = store.space("s");
      space.put(Bytes.of("k"), Bytes.of("of the point"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      wanted = space.put(Bytes.of("k"), Bytes.of("wanted"));
      expected = Model.of(store);
      space.put(Bytes.of("k"), Bytes.of("later"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      SimulatedDisk target = new SimulatedDisk(attempt);
      target.faults(
          FaultPlan.always(
              call ->
                  (call.operation() == DiskOperation.CREATE
                          || call.operation() == DiskOperation.WRITE)
                      && call.name().endsWith(".log"),
              Fault.IO_ERROR));
      if (restores(backups, target, wanted)) {
        try (Store restored = SimulatedStore.open(target.powerCut(), Stores.tiny())) {
          expected.requireEqual(Model.of(restored), "restored");
        }
      } else {
        assertThat(target.fileNames()).doesNotContain("pages");
      }
    }
    assertThat(restores(backups, new SimulatedDisk(1), wanted)).isTrue();
  }

  private static boolean restores(SimulatedDisk backups, SimulatedDisk target, Commit wanted) {
    try {
      SimulatedStore.restore(backups, target, RestoreTo.commit(wanted));
      return true;
    } catch (StoreIoException e) {
      assertThat(e).hasMessageContainingAll("could not be written", "commit=" + wanted.lsn());
      return false;
    }
  }
}
