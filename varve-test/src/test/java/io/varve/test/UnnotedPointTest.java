package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.admin.BackupOptions;
import io.varve.admin.RestoreTo;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A backup that is whole stays so where its store cannot note it any more, as one that was closed
/// since. The warning is a sentence, without the stack trace of a fault.
@Timeout(120)
class UnnotedPointTest {
  @Test
  void theBackupIsWholeAndTheWarningIsASentence() {
    SimulatedDisk disk = new SimulatedDisk(1);
    SimulatedDisk backups = new SimulatedDisk(2);
    AtomicBoolean isWhole = new AtomicBoolean();
    backups.faults(call -> {
      isWhole.compareAndSet(false, call.operation() == DiskOperation.RENAME);
      return Fault.NONE;
    });
    try (Store store = SimulatedStore.open(disk, StoreOptions.defaults());
        Warnings warnings = new Warnings("io.varve.internal.store")) {
      store.space("s").put(Bytes.of(1), Bytes.of(2));
      disk.faults(
          FaultPlan.always(
              call ->
                  isWhole.get()
                      && call.operation() == DiskOperation.WRITE
                      && call.name().equals("pages"),
              Fault.IO_ERROR));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      disk.faults(FaultPlan.none());
      assertThat(warnings.messages())
          .singleElement()
          .asString()
          .contains("a backup point was not noted in its store")
          .doesNotContain("Exception");
      store.verify().requireSound();
    }
    SimulatedDisk restored = new SimulatedDisk(3);
    SimulatedStore.restore(backups, restored, RestoreTo.newest());
    try (Store store = SimulatedStore.open(restored, StoreOptions.defaults())) {
      assertThat(store.space("s").get(Bytes.of(1))).isEqualTo(Bytes.of(2));
    }
  }
}
