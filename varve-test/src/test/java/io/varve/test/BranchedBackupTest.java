package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Space;
import io.varve.Store;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.admin.RestoreTo;
import org.junit.jupiter.api.Test;

/// A copy of a store has the same id, and counts epochs and extents as the other one does. A point
/// continues only from points of its own history, whichever of the two took those that are there.
class BranchedBackupTest {
  private static final int ENTRIES = 3_000;

  private final SimulatedDisk backups = new SimulatedDisk(1);

  @Test
  void aPointAfterARollbackContinuesFromNoneOfTheOtherBranch() {
    SimulatedDisk disk = closedStore();
    SimulatedDisk copy = disk.copy();
    takeTwoPointsOfOriginal(disk);
    try (Store store = SimulatedStore.open(copy, Stores.tiny())) {
      changeOtherwise(store);
      assertThat(backup(store).isFull()).isTrue();
      requireNewestIs(store);
    }
  }

  /// The epochs of the copy are past those of the points by then.
  @Test
  void norDoesOneOfALaterOpen() {
    SimulatedDisk disk = closedStore();
    SimulatedDisk copy = disk.copy();
    takeTwoPointsOfOriginal(disk);
    try (Store store = SimulatedStore.open(copy, Stores.tiny())) {
      changeOtherwise(store);
    }
    try (Store store = SimulatedStore.open(copy, Stores.tiny())) {
      fill(store.space("later"), 5, 10);
      assertThat(backup(store).isFull()).isTrue();
      requireNewestIs(store);
    }
  }

  @Test
  void bothBranchesContinueTheirOwnPointsInOneDirectory() {
    SimulatedDisk disk = closedStore();
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      assertThat(backup(store).isFull()).isTrue();
    }
    SimulatedDisk copy = disk.copy();
    for (int round = 0; round < 3; round++) {
      for (SimulatedDisk branch : new SimulatedDisk[] {disk, copy}) {
        try (Store store = SimulatedStore.open(branch, Stores.tiny())) {
          if (branch == copy) {
            changeOtherwise(store);
          } else {
            fill(store.space("first"), 7 + round, ENTRIES);
          }
          assertThat(backup(store).isFull()).isFalse();
          requireNewestIs(store);
        }
      }
    }
  }

  /// Opens that take no point, and one after a kill, change nothing of that.
  @Test
  void aPointContinuesFromThoseOfEarlierOpens() {
    SimulatedDisk disk = closedStore();
    for (int open = 0; open < 40; open++) {
      try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
        fill(store.space("first"), open, 10);
        if (open % 3 == 0) {
          assertThat(backup(store).isFull()).isEqualTo(open == 0);
        }
        if (open % 4 == 0) {
          disk = disk.processCrash();
        }
      }
    }
  }

  /// A store knows the newest point in each of several directories, however many points each has.
  @Test
  void directoriesInRotationAreContinued() {
    SimulatedDisk[] days = new SimulatedDisk[7];
    for (int day = 0; day < days.length; day++) {
      days[day] = new SimulatedDisk(day);
    }
    try (Store store = SimulatedStore.open(closedStore(), Stores.tiny())) {
      for (int week = 0; week < 3; week++) {
        for (SimulatedDisk day : days) {
          for (int hour = 0; hour < 12; hour++) {
            fill(store.space("first"), hour, 2);
            assertThat(SimulatedStore.backup(store, day, BackupOptions.defaults()).isFull())
                .isEqualTo(week == 0 && hour == 0);
          }
        }
      }
    }
  }

  private BackupPoint backup(Store store) {
    return SimulatedStore.backup(store, backups, BackupOptions.defaults());
  }

  private static SimulatedDisk closedStore() {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      fill(store.space("first"), 0, ENTRIES);
      fill(store.space("second"), 0, ENTRIES);
    }
    return disk;
  }

  private void takeTwoPointsOfOriginal(SimulatedDisk disk) {
    try (Store store = SimulatedStore.open(disk, Stores.tiny())) {
      for (int i = 0; i < 20; i++) {
        fill(store.space("first"), 1, ENTRIES / 20);
        store.checkpoint();
      }
      backup(store);
      for (int i = 0; i < 20; i++) {
        fill(store.space("first"), 2, ENTRIES / 10);
        store.checkpoint();
      }
      assertThat(backup(store).base()).isEqualTo(1);
    }
  }

  /// Changes one space in the first epoch alone, and another one through many checkpoints.
  private static void changeOtherwise(Store store) {
    fill(store.space("first"), 3, ENTRIES);
    store.checkpoint();
    for (int i = 0; i < 30; i++) {
      fill(store.space("second"), 4 + i, ENTRIES / 10);
      store.checkpoint();
    }
  }

  private static void fill(Space space, int value, int count) {
    for (int i = 0; i < count; i++) {
      space.put(Bytes.of(i), Bytes.of("value " + value + " of " + i));
    }
  }

  private void requireNewestIs(Store store) {
    SimulatedDisk target = new SimulatedDisk(9);
    SimulatedStore.restore(backups, target, RestoreTo.newest());
    try (Store restored = SimulatedStore.open(target, Stores.tiny())) {
      Model.of(store).requireEqual(Model.of(restored), "restored");
      restored.verify().requireSound();
    }
  }
}
