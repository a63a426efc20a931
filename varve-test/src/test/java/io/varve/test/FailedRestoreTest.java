package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Commit;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.admin.BackupOptions;
import io.varve.admin.RestoreTo;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A restore to a commit applies log in memory. It has succeeded when that is on the disk, whatever
/// fails there.
class FailedRestoreTest {
  @Test
  void aRestoreWhoseOwnLogFailsIsRefused() {
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
    RestoreTo state = RestoreTo.commit(wanted);
    for (DiskOperation failing :
        List.of(DiskOperation.CREATE, DiskOperation.WRITE, DiskOperation.FORCE)) {
      SimulatedDisk target = new SimulatedDisk(3);
      target.faults(
          FaultPlan.always(
              call -> call.operation() == failing && call.name().endsWith(".log"), Fault.IO_ERROR));
      assertThatThrownBy(() -> SimulatedStore.restore(backups, target, state))
          .as("log whose " + failing + " fails")
          .isInstanceOf(StoreIoException.class)
          .hasMessageContainingAll("could not be written", "commit=" + wanted.lsn());
      assertThat(target.fileNames()).doesNotContain("pages");
    }
    SimulatedDisk target = new SimulatedDisk(4);
    SimulatedStore.restore(backups, target, state);
    try (Store restored = SimulatedStore.open(target.powerCut(), Stores.tiny())) {
      expected.requireEqual(Model.of(restored), "restored");
    }
  }
}
