package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Store;
import io.varve.StoreLockedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One process at a time: a second open is refused with the holder's process id, and the lock dies
/// with the process.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LockTest {
  @TempDir Path directory;

  @Test
  void secondOpenInThisProcessNamesIt() throws IOException {
    Path path = directory.resolve("store");
    try (Store store = Store.open(path, Stores.tiny())) {
      requireLocked(path, ProcessHandle.current().pid());
      Path alias = Files.createSymbolicLink(directory.resolve("alias"), path);
      requireLocked(alias, ProcessHandle.current().pid());
      store.space("s").put(Bytes.of("k"), Bytes.of("v"));
    }
    try (Store store = Store.open(path, Stores.tiny())) {
      assertThat(store.space("s").get(Bytes.of("k"))).isEqualTo(Bytes.of("v"));
    }
  }

  @Test
  void secondOpenInAnotherProcessNamesTheHolder() throws Exception {
    try (ChildJvm child = ChildJvm.start(LockChild.class, directory.toString())) {
      assertThat(child.readLine()).isEqualTo("opened");
      requireLocked(directory, child.pid());
      requireLocked(directory, child.pid());
      child.kill();
      child.exitCode();
    }
    try (Store store = Store.open(directory, Stores.tiny())) {
      store.verify().requireSound();
    }
  }

  @Test
  void refusedOpenChangesNothing() {
    SimulatedDisk disk = new SimulatedDisk(1);
    Store store = SimulatedStore.open(disk, Stores.tiny());
    Thread refused = Thread.currentThread(); // threads of the open store may write on
    disk.faults(
        FaultPlan.always(
            call -> Thread.currentThread() == refused && call.operation().isMutating(),
            Fault.POWER_CUT));
    assertThatThrownBy(() -> SimulatedStore.open(disk, Stores.tiny()))
        .isInstanceOf(StoreLockedException.class);
    disk.faults(FaultPlan.none());
    assertThat(disk.isOff()).as("the disk was changed").isFalse();
    store.close();
    SimulatedStore.open(disk, Stores.tiny()).close();
  }

  /// An open that fails gives the lock back.
  @Test
  void failedOpenHoldsNoLock() {
    SimulatedDisk disk = new SimulatedDisk(1);
    SimulatedStore.open(disk, Stores.tiny()).close();
    disk.faults(FaultPlan.always(call -> call.operation() == DiskOperation.READ, Fault.IO_ERROR));
    assertThatThrownBy(() -> SimulatedStore.open(disk, Stores.tiny()))
        .isNotInstanceOf(StoreLockedException.class);
    disk.faults(FaultPlan.none());
    SimulatedStore.open(disk, Stores.tiny()).close();
  }

  private static void requireLocked(Path path, long pid) {
    assertThatThrownBy(() -> Store.open(path, Stores.tiny()))
        .isInstanceOf(StoreLockedException.class)
        .hasMessageContaining(Long.toString(pid));
  }
}
