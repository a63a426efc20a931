package io.varve.internal.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Store;
import io.varve.internal.disk.Clock;
import io.varve.internal.file.LiveEpochs;
import io.varve.internal.lock.StoreLocks;
import io.varve.internal.tree.Epochs;
import org.junit.jupiter.api.Test;

class SnapshotsTest {
  /// What an epoch shows that nobody releases is never freed.
  @Test
  void anEpochIsReleasedWhereWhatRunsAtItsEndFails() {
    var locks = new StoreLocks();
    var epochs = new Epochs(locks, 1);
    var gate = new CommitGate(Clock.SYSTEM, locks, _ -> {});
    try (Store store = Store.inMemory()) {
      var context = CommitContext.of(epochs, gate, new CountedCommits());
      var snapshots = new Snapshots(store, context, Clock.SYSTEM, /* recordsOrigins= */ false);
      Runnable failing =
          () -> {
            throw new OutOfMemoryError("by the test");
          };
      assertThatThrownBy(() -> snapshots.closeEpoch(failing)).isInstanceOf(OutOfMemoryError.class);
      assertThat(epochs.live().oldest()).isEqualTo(LiveEpochs.NONE_LIVE);
      assertThat(gate.tryEnter()).as("the gate is open").isTrue();
      gate.exit();
      long epoch = snapshots.closeEpoch(() -> {}).epoch();
      assertThat(epochs.live().oldest()).isEqualTo(epoch);
    }
  }
}
