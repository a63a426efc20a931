package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreIoException;
import io.varve.StoreOptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A recovery forces the page file before it applies the log. Where that fails, the message names
/// that file, and not the log.
@Timeout(120)
class UnforcedPageFileTest {
  private final StoreOptions options = Stores.tiny().durability(Durability.PROCESS_CRASH);

  @ParameterizedTest
  @ValueSource(ints = {10, 5_000})
  void theMessageNamesTheFile(int puts) {
    SimulatedDisk disk = new SimulatedDisk(1);
    Store killed = SimulatedStore.open(disk, options);
    for (int i = 0; i < puts; i++) {
      killed.space("s").put(Bytes.of(i), new byte[500]);
    }
    SimulatedDisk crashed = disk.processCrash();
    try {
      killed.close();
    } catch (StoreFailedException _) {
      // its disk refuses the last checkpoint
    }
    crashed.faults(
        FaultPlan.always(
            call -> call.operation() == DiskOperation.FORCE && call.name().equals("pages"),
            Fault.IO_ERROR));
    assertThatThrownBy(() -> SimulatedStore.open(crashed, options))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("page file cannot be forced")
        .hasMessageContaining("pages");
    crashed.faults(FaultPlan.none());
    try (Store store = SimulatedStore.open(crashed, options)) {
      Space space = store.space("s");
      for (int i = 0; i < puts; i++) {
        assertThat(space.get(Bytes.of(i))).hasSize(500);
      }
      store.verify().requireSound();
    }
  }
}
