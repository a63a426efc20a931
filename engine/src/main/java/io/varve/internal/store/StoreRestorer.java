package io.varve.internal.store;

import io.varve.Commit;
import io.varve.KeySource;
import io.varve.ProgressListener;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.StoreKeyException;
import io.varve.admin.BackupPoint;
import io.varve.admin.RestoreTo;
import io.varve.admin.Restored;
import io.varve.internal.backup.BackupHeader;
import io.varve.internal.backup.BackupSet;
import io.varve.internal.backup.PageFileRestore;
import io.varve.internal.crypto.DataKey;
import io.varve.internal.crypto.Keyring;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.disk.RandomIds;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.Superblock;
import io.varve.internal.wal.format.StoreId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes stores of backups, in empty directories.
///
/// The page file is written under another name, which is changed when all of it is durable and was
/// checked. The store gets an id of its own: what it will be, its origin was not. So neither the
/// log nor the backups of one can ever be taken for those of the other.
///
/// (RESTORER-1) Of two restores into one directory the later one changes no file of the earlier: it
/// looks for files again when it holds the lock. What it sees then stays true, since the earlier
/// one has its page file there, by either name, before it gives the lock up.
public final class StoreRestorer {
  private StoreRestorer() {}

  /// Restores a store into a directory, which must be empty or missing.
  public static Restored restore(
      BackupPlace source,
      Path target,
      RestoreTo state,
      @Nullable KeySource key,
      ProgressListener listener) {
    return restore(
        source, () -> FileDisk.open(target, true), state, key, RestoreRun.bySystem(listener));
  }

  /// Restores a store from the points on a disk, which is closed then, onto another.
  ///
  /// @param target opens that disk; called several times, and each is closed
  public static Restored restore(
      Disk source,
      Supplier<Disk> target,
      RestoreTo state,
      @Nullable KeySource key,
      RestoreRun run) {
    return restore(new BackupPlace.OfDisk(source), target, state, key, run);
  }

  private static Restored restore(
      BackupPlace source,
      Supplier<Disk> target,
      RestoreTo state,
      @Nullable KeySource key,
      RestoreRun run) {
    try (BackupSet set = source.read()) {
      return restore(set, target, state, key, run);
    }
  }

  private static Restored restore(
      BackupSet set,
      Supplier<Disk> target,
      RestoreTo state,
      @Nullable KeySource key,
      RestoreRun run) {
    // First of all: neither a wrong source nor a wrong key makes a directory.
    BackupHeader point = choose(set, state);
    Keyring keys = open(set.describe(point), point, key);
    DataKey dataKey = keys == null ? null : keys.dataKey();
    PageFileRestore pages = new PageFileRestore(set, point, run.listener());
    String where = "";
    try {
      Superblock written;
      try (Disk disk = target.get()) {
        where = disk.describe("");
        requireEmpty(disk, List.of()); // also, no lock file is put into the directory of others
        StoreId id = StoreId.of(RandomIds.next());
        try (DiskLock lock = disk.lock(StoreOpener.LOCK_FILE)) {
          requireEmpty(disk, List.of(StoreOpener.LOCK_FILE));
          try (PageFile file =
              PageFile.open(disk, StoreOpener.RESTORING_PAGE_FILE, dataKey, null)) {
            lock.sign();
            if (keys != null && key != null) {
              keys.give(disk, key, id.high(), id.low());
            }
            written = writeSuperblocks(file, id, pages.write(file));
          }
        }
      }
      long lsn = new LogRestore(set, point, state, dataKey, run).apply(target, written);
      try (Disk disk = target.get()) {
        try (PageFile file =
            PageFile.openReadOnly(disk, StoreOpener.RESTORING_PAGE_FILE, dataKey)) {
          pages.requireWritten(file, written.epoch() + (lsn > point.lsn() ? 1 : 0));
        }
        disk.rename(StoreOpener.RESTORING_PAGE_FILE, PageFile.NAME);
        disk.syncDirectory("");
      }
      return new Restored(set.describe(point), new Commit(lsn));
    } catch (DiskFullException e) {
      throw new StoreFullException(
          "no capacity to restore: directory="
              + where
              + "; free capacity, empty the directory and try again",
          e);
    } catch (IOException e) {
      throw new StoreIoException(
          "cannot restore: source=" + set.where() + ", directory=" + where + "; " + e.getMessage(),
          e);
    }
  }

  private static BackupHeader choose(BackupSet set, RestoreTo state) {
    try {
      return set.choose(state);
    } catch (IOException e) {
      throw unreadable(set.where(), e);
    }
  }

  /// The keys of a backup, or null if it is not encrypted.
  private static @Nullable Keyring open(
      BackupPoint where, BackupHeader point, @Nullable KeySource key) {
    byte[] copy = point.keys();
    if (copy != null) {
      return Keyring.open(copy, where.file(), key);
    }
    if (key != null) {
      throw new StoreKeyException(
          "the backup is not encrypted, but a key was given: file="
              + where.file()
              + "; restore it without, or load its data into a new store that is encrypted");
    }
    return null;
  }

  /// The points at a place, oldest first.
  public static List<BackupPoint> points(BackupPlace place) {
    try (BackupSet set = place.read()) {
      return set.points().stream().map(set::describe).toList();
    } catch (IOException e) {
      throw unreadable(place, e);
    }
  }

  /// Deletes points on a disk, which is closed then.
  public static List<BackupPoint> prune(Disk backups, int count) {
    return prune(new BackupPlace.OfDisk(backups), count);
  }

  /// Deletes all points except the newest ones and those that they are based on.
  public static List<BackupPoint> prune(BackupPlace place, int count) {
    try (BackupSet set = place.open(false)) {
      return prune(set, count);
    }
  }

  /// The points on a disk, which is closed then, oldest first.
  public static List<BackupPoint> points(Disk backups) {
    return points(new BackupPlace.OfDisk(backups));
  }

  private static List<BackupPoint> prune(BackupSet set, int count) {
    try {
      set.lock();
      return set.prune(count).stream().map(set::describe).toList();
    } catch (IOException e) {
      throw unreadable(set.where(), e);
    }
  }

  private static StoreIoException unreadable(Object place, IOException e) {
    return new StoreIoException(
        "backups cannot be used: place=" + place + "; " + e.getMessage(), e);
  }

  private static void requireEmpty(Disk target, List<String> expected) throws IOException {
    List<String> names = new ArrayList<>(target.list(""));
    names.removeAll(expected);
    if (!names.isEmpty()) {
      throw new StoreIoException(
          "a store is restored into an empty directory alone: directory="
              + target.describe("")
              + ", found="
              + names.getFirst()
              + "; name another, or empty it");
    }
  }

  /// Writes both superblocks, with an id of their own.
  ///
  /// @return the newer one
  private static Superblock writeSuperblocks(PageFile file, StoreId id, Superblock copied)
      throws IOException {
    Superblock written = copied;
    for (int sequence = 1; sequence <= 2; sequence++) {
      written =
          new Superblock(
              id.high(),
              id.low(),
              sequence,
              copied.epoch(),
              copied.cut(),
              copied.catalogExtent(),
              copied.catalogChecksum(),
              copied.pageBytes(),
              copied.generation(),
              true);
      written.write(file);
    }
    file.force();
    return written;
  }
}
