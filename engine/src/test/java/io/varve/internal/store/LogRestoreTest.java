package io.varve.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Commit;
import io.varve.CorruptStoreException;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.StoreOptions;
import io.varve.admin.BackupOptions;
import io.varve.admin.RestoreTo;
import io.varve.test.DiskCall;
import io.varve.test.DiskOperation;
import io.varve.test.Fault;
import io.varve.test.FaultPlan;
import io.varve.test.Model;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// What a restore leaves that applies archived log to the page file of a backup.
class LogRestoreTest {
  private static final StoreOptions ARCHIVING =
      StoreOptions.defaults()
          .pageBytes(1024)
          .cacheBytes(1 << 20)
          .archiveLog(true)
          .log(log -> log.bufferBytes(1 << 16).segmentBytes(1 << 18).bytesMax(1 << 20));

  /// More than a restore of this store makes.
  private static final int WRITES_MAX = 24;

  private static final Predicate<DiskCall> WRITES_PAGES =
      call ->
          call.operation() == DiskOperation.WRITE
              && call.name().equals(StoreOpener.RESTORING_PAGE_FILE);

  private final SimulatedDisk backups = new SimulatedDisk(1);

  /// Backs a store up, changes it, and lets a second backup take the log of the changes.
  ///
  /// @return the commit between the two
  private Commit backUpWithLog(StoreOptions options) {
    try (Store store = SimulatedStore.open(new SimulatedDisk(2), options)) {
      Space space = store.space("s");
      for (int i = 0; i < 20; i++) {
        space.put(key(i), value(i));
      }
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      for (int i = 10; i < 40; i++) {
        space.put(key(i), value(i + 1));
      }
      Commit wanted = store.lastCommit();
      space.put(key(0), value(7));
      SimulatedStore.backup(store, backups, BackupOptions.defaults());
      return wanted;
    }
  }

  private static byte[] key(int number) {
    return ("key " + (100 + number)).getBytes(UTF_8);
  }

  private static byte[] value(int number) {
    byte[] value = new byte[200];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  private static void requireContent(Store store) {
    Space space = store.space("s");
    for (int i = 0; i < 40; i++) {
      assertThat(space.get(key(i))).as("value %d", i).isEqualTo(value(i < 10 ? i : i + 1));
    }
    store.verify().requireSound();
  }

  /// Images of the backup are in the restored file as they were.
  @Test
  void theSuperblockOfARestoredStoreNamesTheCodecsOfItsImages() {
    Commit wanted = backUpWithLog(ARCHIVING.compression("deflate"));
    SimulatedDisk target = new SimulatedDisk(3);
    SimulatedStore.restore(backups, target, RestoreTo.commit(wanted));
    try (Store store = SimulatedStore.open(target, ARCHIVING.compression("none"))) {
      requireContent(store);
    }
  }

  /// What applies the log knows its pages from memory. The store that is opened next has no log by
  /// which to repair it.
  @Test
  void aRestoreWhosePagesTheDiskLostIsRefusedOrWhole() {
    requireRefusedOrWhole(RestoreTo.commit(backUpWithLog(ARCHIVING)), 12);
  }

  @Test
  void soIsARestoreOfAPoint() {
    backUpWithLog(ARCHIVING.archiveLog(false));
    requireRefusedOrWhole(RestoreTo.newest(), 10);
  }

  private void requireRefusedOrWhole(RestoreTo state, int refusedMin) {
    SimulatedDisk sound = new SimulatedDisk(3);
    SimulatedStore.restore(backups, sound, state);
    Model expected = contentOf(sound);
    int refused = 0;
    for (int lost = 1; lost <= WRITES_MAX; lost++) {
      SimulatedDisk target = new SimulatedDisk(lost);
      target.faults(FaultPlan.nth(lost, WRITES_PAGES, Fault.DROPPED));
      try {
        SimulatedStore.restore(backups, target, state);
      } catch (CorruptStoreException | StoreIoException e) {
        refused++;
        assertThat(target.fileNames()).doesNotContain("pages");
        continue;
      }
      contentOf(target).requireEqual(expected, "restored");
    }
    assertThat(refused).as("refused").isGreaterThanOrEqualTo(refusedMin);
  }

  private static Model contentOf(SimulatedDisk disk) {
    try (Store store = SimulatedStore.open(disk, ARCHIVING)) {
      store.verify().requireSound();
      return Model.of(store);
    }
  }

  @Test
  void anUnwritableRestoreNamesItsCause() {
    Commit wanted = backUpWithLog(ARCHIVING);
    SimulatedDisk target = new SimulatedDisk(3);
    target.faults(
        FaultPlan.always(
            call -> call.operation() == DiskOperation.CREATE && call.name().endsWith(".log"),
            Fault.IO_ERROR));
    assertThatThrownBy(() -> SimulatedStore.restore(backups, target, RestoreTo.commit(wanted)))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContainingAll("could not be written", "commit=" + wanted.lsn());
    assertThat(target.fileNames()).doesNotContain("pages");
  }

  /// Log that a crash leaves without its next backup ends before the commit.
  @Test
  void aCommitPastTheArchivedLogIsRefusedByItsNumber() {
    Commit wanted = backUpWithLog(ARCHIVING);
    Commit later = new Commit(wanted.lsn() + (1 << 20));
    assertThatThrownBy(
            () -> SimulatedStore.restore(backups, new SimulatedDisk(3), RestoreTo.commit(later)))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("commit=" + later.lsn());
  }

  /// What the log replaces is written over free extents of the file, not at its end.
  @Test
  void aRestoredFileIsNoLongerThanItsOriginWouldBe() throws IOException {
    Commit wanted = backUpWithLog(ARCHIVING);
    SimulatedDisk target = new SimulatedDisk(3);
    SimulatedStore.restore(backups, target, RestoreTo.commit(wanted));
    assertThat(target.content("pages").length).isLessThanOrEqualTo(128 << 10);
  }
}
