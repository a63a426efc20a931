package io.varve.test;

import static io.varve.test.ArchivedLogs.KEEPING;
import static io.varve.test.ArchivedLogs.backUpTwice;
import static io.varve.test.ArchivedLogs.delete;
import static io.varve.test.ArchivedLogs.requireRestores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.admin.RestoreTo;
import io.varve.test.ArchivedLogs.Committed;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Stores that are backed up to one directory keep their logs apart.
@Tag("slow")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedBackupsTest {
  /// Stores count generations and LSNs alike. What is backed up to one directory, as a store and
  /// what was restored from it are, or two new ones, stays: the log of each leads to its commits.
  @Test
  void storesThatShareADirectoryKeepTheirLogs() {
    SimulatedDisk backups = new SimulatedDisk(1);
    SimulatedDisk restored = new SimulatedDisk(2);
    List<Committed> ofStores = new ArrayList<>();
    ofStores.add(backUpTwice(new SimulatedDisk(3), backups, "origin"));
    SimulatedStore.restore(backups, restored, RestoreTo.point(1));
    ofStores.add(backUpTwice(restored, backups, "restored"));
    ofStores.add(backUpTwice(new SimulatedDisk(4), backups, "a new one with more of a log"));
    ofStores.add(backUpTwice(new SimulatedDisk(5), backups, "another"));
    SimulatedStore.prune(backups, 8);
    for (Committed last : ofStores.reversed()) {
      requireRestores(backups, RestoreTo.commit(last.commit()), last.state());
      List<String> points =
          backups.fileNames().stream().filter(name -> name.endsWith(".vbk")).sorted().toList();
      points.reversed().stream().limit(2).forEach(name -> delete(backups, name));
    }
    assertThat(ofStores).hasSize(4);
  }

  /// LSNs of two stores cannot be compared: a commit or time is one of the newest point's store.
  @Test
  void aCommitIsNotLookedForInAnotherStore() {
    SimulatedDisk backups = new SimulatedDisk(1);
    Committed ofOne = backUpTwice(new SimulatedDisk(2), backups, "one");
    try (Store store = SimulatedStore.open(new SimulatedDisk(3), KEEPING)) {
      for (int i = 0; i < 500; i++) {
        store.space("s").put(Bytes.of(i), new byte[1_000]);
      }
      BackupPoint point = SimulatedStore.backup(store, backups, BackupOptions.defaults());
      assertThat(point.lastCommit()).isGreaterThan(ofOne.commit());
      assertThatThrownBy(() ->
              SimulatedStore.restore(
                  backups, new SimulatedDisk(4), RestoreTo.commit(ofOne.commit())))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContainingAll("another store", "number 1 ", point.store().toString());
    }
  }

  /// Of two stores with one id, each with a history of its own, only the first one's log goes
  /// there.
  @Test
  void theLogOfACopyOfAStoreDoesNotTakeThePlaceOfItsOrigins() {
    SimulatedDisk backups = new SimulatedDisk(1);
    SimulatedDisk disk = new SimulatedDisk(2);
    try (Store store = SimulatedStore.open(disk, KEEPING)) {
      store.space("s").put(Bytes.of("k"), Bytes.of("first"));
    }
    SimulatedDisk copied = disk.copy();
    Committed ofOrigin = backUpTwice(disk, backups, "origin");
    SimulatedDisk before = backups.copy();
    try (Store copy = SimulatedStore.open(copied, KEEPING)) {
      for (int i = 0; i < 100; i++) {
        copy.space("s").put(Bytes.of(i), Bytes.of("of the copy " + i));
      }
    }
    try (Store copy = SimulatedStore.open(copied, KEEPING)) {
      long kept = copy.statistics().log().archivedBytes();
      assertThat(kept).isPositive();
      assertThatThrownBy(() -> SimulatedStore.backup(copy, backups, BackupOptions.defaults()))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining("another history");
      assertThat(copy.statistics().log().archivedBytes()).isGreaterThanOrEqualTo(kept);
      SimulatedStore.backup(copy, new SimulatedDisk(5), BackupOptions.defaults());
    }
    assertThat(backups.fileNames()).containsAll(before.fileNames());
    requireRestores(backups, RestoreTo.commit(ofOrigin.commit()), ofOrigin.state());
  }
}
