package io.varve.internal.store;

import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.internal.backup.BackupHeader;
import io.varve.internal.backup.BackupSet;
import io.varve.internal.backup.CheckpointCopy;
import io.varve.internal.backup.TakenPoints;
import io.varve.internal.checkpoint.Checkpointer;
import io.varve.internal.checkpoint.HeldCheckpoint;
import io.varve.internal.crypto.Keyring;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.file.PageFile;
import io.varve.internal.wal.segment.LogArchive;
import java.io.IOException;
import java.util.List;

/// Takes a point of a store that is open into a set of backups.
final class PointTaker {
  private final Disk disk;
  private final PageFile file;
  private final TakenPoints taken;
  private final Clock clock;
  private final boolean archivesLog;

  /// @param disk the store's own
  /// @param taken of the store so far
  /// @param archivesLog whether the set takes the archived log of the store, too
  PointTaker(Disk disk, PageFile file, TakenPoints taken, Clock clock, boolean archivesLog) {
    this.disk = disk;
    this.file = file;
    this.taken = taken;
    this.clock = clock;
    this.archivesLog = archivesLog;
  }

  BackupPoint take(Checkpointer checkpointer, BackupSet set, BackupOptions how) {
    try {
      set.lock();
      HeldCheckpoint checkpoint = checkpointer.checkpointForBackup();
      try {
        List<String> archived =
            archivesLog ? set.archiveLog(disk, checkpoint.superblock().cut()) : List.of();
        BackupSet.NewPoint next = set.begin(checkpoint.superblock(), how.full(), taken);
        BackupHeader point =
            CheckpointCopy.copy(
                file,
                checkpoint,
                set,
                next,
                clock.currentTimeMillis(),
                Keyring.copy(disk),
                how.listener());
        if (set.isContinued()) {
          next.addTo(taken);
        }
        // After the point: until it is there, the log leads nowhere but from the points before,
        // and the user may exchange this target for another.
        LogArchive.release(disk, archived);
        return set.describe(point);
      } finally {
        checkpointer.release(checkpoint.superblock().epoch());
      }
    } catch (DiskFullException e) {
      throw new StoreFullException(
          "no capacity for the backup: target="
              + set.where()
              + "; the points there are as they were; free capacity and try again",
          e);
    } catch (IOException e) {
      throw new StoreIoException(
          "backup failed: target="
              + set.where()
              + "; the points there are as they were; see the cause",
          e);
    }
  }
}
