package io.varve.internal.store;

import io.varve.BackupPoint;
import io.varve.ProgressListener;
import io.varve.RestoreTo;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.internal.backup.BackupHeader;
import io.varve.internal.backup.BackupSet;
import io.varve.internal.backup.PageFileRestore;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.page.PageFile;
import io.varve.internal.page.Superblock;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;

/// Makes stores of backups, in empty directories.
///
/// The page file is written under another name, which is changed when all of it is durable and was
/// checked. The store gets an id of its own: what it will be, its origin was not, so neither the
/// log nor the backups of one can ever be taken for those of the other.
public final class StoreRestorer {
  private StoreRestorer() {}

  /// Restores a store into a directory, which must be empty or missing.
  ///
  /// @return the point that was restored
  public static BackupPoint restore(
      Path source, Path target, RestoreTo state, ProgressListener listener) {
    try (BackupSet set = BackupSet.open(source, false)) {
      return restore(set, FileDisk.open(target, true), state, listener);
    }
  }

  /// Restores a store from the points on a disk onto another. Both are closed then.
  public static BackupPoint restore(
      Disk source, Disk target, RestoreTo state, ProgressListener listener) {
    try (BackupSet set = new BackupSet(source, null)) {
      return restore(set, target, state, listener);
    }
  }

  private static BackupPoint restore(
      BackupSet set, Disk target, RestoreTo state, ProgressListener listener) {
    try (target) {
      requireEmpty(target);
      BackupHeader point = set.choose(state);
      try (DiskLock _ = target.lock(StoreOpener.LOCK_FILE)) {
        try (PageFile file = PageFile.open(target, StoreOpener.RESTORING_PAGE_FILE)) {
          writeSuperblocks(file, new PageFileRestore(set, point, listener).write(file));
        }
        target.rename(StoreOpener.RESTORING_PAGE_FILE, PageFile.NAME);
        target.syncDirectory("");
      }
      return set.describe(point);
    } catch (DiskFullException e) {
      throw new StoreFullException(
          "no room to restore: directory="
              + target.describe("")
              + "; make room, empty the directory and try again",
          e);
    } catch (IOException e) {
      throw new StoreIoException(
          "cannot restore: source="
              + set.where()
              + ", directory="
              + target.describe("")
              + "; "
              + e.getMessage(),
          e);
    }
  }

  /// The points at a place, oldest first.
  public static List<BackupPoint> points(Path place) {
    try (BackupSet set = BackupSet.open(place, false)) {
      return set.points().stream().map(set::describe).toList();
    } catch (IOException e) {
      throw unreadable(place, e);
    }
  }

  /// Deletes all points but the newest ones and what they stand on.
  public static List<BackupPoint> prune(Path place, int count) {
    try (BackupSet set = BackupSet.open(place, false)) {
      set.lock();
      return set.prune(count).stream().map(set::describe).toList();
    } catch (IOException e) {
      throw unreadable(place, e);
    }
  }

  private static StoreIoException unreadable(Path place, IOException e) {
    return new StoreIoException(
        "backups cannot be used: place=" + place + "; " + e.getMessage(), e);
  }

  private static void requireEmpty(Disk target) throws IOException {
    List<String> names = target.list("");
    if (!names.isEmpty()) {
      throw new StoreIoException(
          "a store is restored into an empty directory alone: directory="
              + target.describe("")
              + ", found="
              + names.getFirst()
              + "; name another, or empty it");
    }
  }

  private static void writeSuperblocks(PageFile file, Superblock copied) throws IOException {
    SecureRandom random = new SecureRandom();
    long idHigh = random.nextLong();
    long idLow = random.nextLong();
    for (int sequence = 1; sequence <= 2; sequence++) {
      new Superblock(
              idHigh,
              idLow,
              sequence,
              copied.epoch(),
              copied.cut(),
              copied.catalogExtent(),
              copied.catalogChecksum(),
              copied.pageBytes(),
              copied.generation(),
              true)
          .write(file);
    }
    file.force();
  }
}
