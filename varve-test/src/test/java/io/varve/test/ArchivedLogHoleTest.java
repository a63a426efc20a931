package io.varve.test;

import static io.varve.test.ArchivedLogs.KEEPING;
import static io.varve.test.ArchivedLogs.requireRestores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Commit;
import io.varve.CorruptStoreException;
import io.varve.Space;
import io.varve.Store;
import io.varve.admin.BackupOptions;
import io.varve.admin.RestoreTo;
import io.varve.admin.Restored;
import io.varve.test.ArchivedLogs.Committed;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// No restore gets over a hole in the archived log silently.
@Tag("slow")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArchivedLogHoleTest {
  /// Opens and closes that commit nothing leave no log, and no hole.
  @Test
  void livesWithoutCommitsLeaveNoHole() {
    SimulatedDisk disk = new SimulatedDisk(1);
    SimulatedDisk backups = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      store.space("s").put(Bytes.of("k"), Bytes.of("first"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    SimulatedStore.open(disk, KEEPING).close();
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      store.checkpoint();
      store.compact();
    }
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      Commit commit = store.space("s").put(Bytes.of("k"), Bytes.of("second"));
      Model expected = Model.of(store);
      store.space("s").put(Bytes.of("k"), Bytes.of("third"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      Restored restored = requireRestores(backups, RestoreTo.commit(commit), expected);
      assertThat(restored.point().number()).isEqualTo(1);
      assertThat(restored.lastCommit()).isEqualTo(commit);
    }
  }

  /// What a life without the option did not keep is a hole, which no restore gets over silently.
  @Test
  void aHoleInTheArchivedLogIsRefused() {
    SimulatedDisk disk = new SimulatedDisk(1);
    SimulatedDisk backups = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      store.space("s").put(Bytes.of("k"), Bytes.of("not kept"));
    }
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      Commit commit = store.space("s").put(Bytes.of("k"), Bytes.of("kept"));
      store.space("s").put(Bytes.of("k"), Bytes.of("kept, too"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      assertThatThrownBy(
              () -> SimulatedStore.restore(backups, new SimulatedDisk(2), RestoreTo.commit(commit)))
          .isInstanceOf(CorruptStoreException.class)
          .hasMessageContaining("log has a hole");
      requireRestores(backups, RestoreTo.newest(), Model.of(store));
    }
  }

  /// A hole after the wanted state does no harm, nor does one right after it.
  @Test
  void aHoleAfterTheWantedStateDoesNoHarm() {
    SimulatedClock clock = new SimulatedClock();
    SimulatedDisk disk = new SimulatedDisk(1);
    SimulatedDisk backups = new SimulatedDisk(1);
    Instant wanted = Instant.parse("2026-01-01T00:10:00Z");
    Model atThatTime;
    Committed last;
    try (Store store = SimulatedStore.open(disk, clock, KEEPING)) {
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      Space space = store.space("s");
      Commit commit = space.put(Bytes.of("k"), Bytes.of("wanted"));
      awaitNote(store, clock, commit);
      atThatTime = Model.of(store);
      clock.advance(Duration.ofHours(1));
      commit = space.put(Bytes.of("k"), Bytes.of("last"));
      awaitNote(store, clock, commit);
      last = new Committed(store.lastCommit(), Model.of(store));
    }
    try (Store store = SimulatedStore.open(disk, clock, Stores.tiny())) {
      store.space("s").put(Bytes.of("k"), Bytes.of("not kept"));
    }
    try (Store store = SimulatedStore.open(disk, clock, KEEPING)) {
      store.space("s").put(Bytes.of("k"), Bytes.of("kept"));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
    }
    requireRestores(backups, RestoreTo.time(wanted), atThatTime);
    requireRestores(backups, RestoreTo.commit(last.commit()), last.state());
  }

  /// Waits until the time was noted after a commit. The clock moves on slowly enough for the thread
  /// that notes it to be there before minutes have passed.
  private static void awaitNote(Store store, SimulatedClock clock, Commit commit) {
    while (store.lastCommit().equals(commit)) {
      clock.advance(Duration.ofMillis(100));
      LockSupport.parkNanos(2_000_000);
    }
  }
}
