package io.varve.internal.store;

import io.varve.CorruptStoreException;
import io.varve.Durability;
import io.varve.KeySource;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.StoreLockedException;
import io.varve.StoreOptions;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.internal.backup.BackupSet;
import io.varve.internal.checkpoint.BallastFile;
import io.varve.internal.checkpoint.Superblocks;
import io.varve.internal.compress.Codecs;
import io.varve.internal.crypto.DataKey;
import io.varve.internal.crypto.Keyring;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.ClosingSteps;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.disk.MeteredDisk;
import io.varve.internal.disk.RandomIds;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.file.OpenRecord;
import io.varve.internal.file.PageFile;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogArchive;
import io.varve.spi.PageCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Opens stores: on a directory, on any [Disk], or in memory.
public final class StoreOpener {
  static final String LOCK_FILE = "lock";

  /// A page file that a restore has not finished.
  static final String RESTORING_PAGE_FILE = "pages.restoring";

  /// An empty file next to the files of a store that a salvage has not finished.
  static final String SALVAGING_FILE = "salvaging";

  /// A page file being written: it gets its name when its superblocks are durable. So a page file
  /// without a superblock is always damage and never a crash of its creation.
  private static final String NEW_PAGE_FILE = "pages.new";

  /// What the lock file may take; it is written before anything is counted.
  private static final long LOCK_FILE_BYTES = 256;

  private StoreOpener() {}

  /// Opens the store in a directory.
  public static Store open(Path directory, StoreOptions options) {
    Disk disk =
        options.readOnly()
            ? FileDisk.openReadOnly(directory)
            : FileDisk.open(directory, options.createIfMissing());
    return open(disk, Clock.SYSTEM, StoreThreads.PLATFORM, options);
  }

  /// Opens the store on a disk. The disk is closed with the store, or if this fails.
  public static Store open(Disk disk, Clock clock, StoreThreads threads, StoreOptions options) {
    if (options.durability() == Durability.NONE) {
      throw new IllegalArgumentException(
          "durability NONE is for stores in memory: use Store.inMemory(), or BACKGROUND");
    }
    return openChecked(disk, clock, threads, options, false);
  }

  /// Opens the store that a salvage is to fill, or to read back: to all others it is refused until
  /// that is finished.
  static OpenStore openForSalvage(
      Disk disk, Clock clock, StoreThreads threads, StoreOptions options) {
    return openChecked(disk, clock, threads, options, true);
  }

  private static OpenStore openChecked(
      Disk directory, Clock clock, StoreThreads threads, StoreOptions chosen, boolean forSalvage) {
    boolean readOnly = chosen.readOnly();
    Disk disk = readOnly ? ReadOnly.disk(directory, chosen) : directory;
    StoreOptions options = readOnly ? ReadOnly.options(chosen) : chosen;
    try {
      return openOrRelease(disk, clock, threads, options, forSalvage);
    } catch (DiskFullException e) {
      throw full(disk.describe(""), e);
    } catch (IOException e) {
      throw new StoreIoException(
          "cannot open the store: directory=" + disk.describe("") + "; " + e.getMessage(), e);
    }
  }

  /// Opens a store. Whatever step fails, what those before it took is released: threads, files, the
  /// lock, and the disk.
  private static OpenStore openOrRelease(
      Disk disk, Clock clock, StoreThreads threads, StoreOptions options, boolean forSalvage)
      throws IOException {
    DiskLock lock = null;
    try {
      if (!forSalvage) {
        requireSalvaged(disk);
      }
      if (!options.createIfMissing() && !disk.exists(PageFile.NAME)) {
        requireNever(disk, null);
        throw missing(disk); // and leave no new file
      }
      PageCodec codec = Codecs.chosen(options.compression());
      lock = disk.lock(LOCK_FILE);
      boolean isNew = !disk.exists(PageFile.NAME);
      if (!isNew) {
        lockPages(disk, lock); // before anything opens the page file
      }
      MeteredDisk metered = new MeteredDisk(disk, quota(options), fileNames(disk), LOCK_FILE_BYTES);
      Keyring keys = Keyring.open(disk, options.encryption());
      if (isNew) {
        requireNever(disk, lock);
        keys = create(metered, options, codec, keys);
        lockPages(disk, lock);
      }
      HeapShare.warnIfLarge(options, disk.describe("")); // runs a logger of the program
      return new StoreRecovery(
              new LockedDirectory(metered, lock, keys), options, codec, clock, threads)
          .run();
    } catch (Throwable e) {
      new ClosingSteps(e).take(new StoreFiles(disk, lock, null)::close);
      throw e;
    }
  }

  /// Refuses what a salvage left that broke off: it holds a part of what the damaged store held.
  static void requireSalvaged(Disk disk) throws IOException {
    if (disk.exists(SALVAGING_FILE)) {
      throw new StoreIoException(
          "a salvage into this directory was not finished: file="
              + disk.describe(SALVAGING_FILE)
              + "; empty the directory and salvage again");
    }
  }

  /// The most that the files may take: a store that is open read-only adds nothing to them.
  private static long quota(StoreOptions options) {
    return options.readOnly() ? Long.MAX_VALUE : options.diskBytesMax();
  }

  /// Locks what the lock of the directory protects, and names this process as the holder.
  ///
  /// @throws StoreLockedException if another process holds it
  static void lockPages(Disk disk, DiskLock lock) throws IOException {
    if (!lock.add(PageFile.NAME)) {
      try (PageFile file = PageFile.openReadOnly(disk, PageFile.NAME, null)) {
        throw new StoreLockedException(
            "store is open in another process, by another path or after its lock file was deleted:"
                + " file="
                + file.where()
                + ", "
                + OpenGuard.describe(OpenRecord.read(file))
                + "; close it there first");
      }
    }
    lock.sign();
  }

  /// The files that a store may have.
  private static List<String> fileNames(Disk disk) throws IOException {
    var names = new ArrayList<>(List.of(PageFile.NAME, NEW_PAGE_FILE, BallastFile.NAME));
    names.addAll(Keyring.FILE_NAMES);
    for (String directory : List.of(LogFiles.DIRECTORY, LogArchive.DIRECTORY)) {
      for (String last : disk.list(directory)) {
        names.add(directory + "/" + last);
      }
    }
    names.remove(LogArchive.DIRECTORY);
    return names;
  }

  private static StoreFullException full(String directory, IOException cause) {
    return new StoreFullException(
        "no capacity to open the store: directory=" + directory + "; free capacity and try again",
        cause);
  }

  private static StoreIoException missing(Disk disk) {
    return new StoreIoException(
        "no store there: directory="
            + disk.describe("")
            + "; name another, or have one made by StoreOptions.createIfMissing()");
  }

  /// Changes the key of the store in a directory.
  public static void changeKey(Path directory, KeySource oldKeys, KeySource newKeys) {
    changeKey(FileDisk.open(directory, false), oldKeys, newKeys);
  }

  /// Changes the key of the store on a disk. The disk is closed.
  public static void changeKey(Disk disk, KeySource oldKeys, KeySource newKeys) {
    try (disk) {
      if (!disk.exists(PageFile.NAME)) {
        throw new StoreIoException(
            "no store there: directory=" + disk.describe("") + "; name another");
      }
      try (DiskLock lock = disk.lock(LOCK_FILE)) {
        lockPages(disk, lock);
        Keyring.change(disk, oldKeys, newKeys);
      }
    } catch (DiskFullException e) {
      throw full(disk.describe(""), e);
    } catch (IOException e) {
      throw new StoreIoException(
          "cannot change the key: directory=" + disk.describe("") + "; " + e.getMessage(), e);
    }
  }

  /// Refuses to make a store where other files show that there was one, which lost its page file. A
  /// creation that was cut short leaves no such files, or an unfinished page file with them.
  ///
  /// @param lock null if it is not held yet
  private static void requireNever(Disk disk, @Nullable DiskLock lock) throws IOException {
    if (disk.exists(RESTORING_PAGE_FILE)) {
      throw new StoreIoException(
          "a restore into this directory was not finished: file="
              + disk.describe(RESTORING_PAGE_FILE)
              + "; empty the directory and restore again");
    }
    if (BackupSet.areIn(disk)) {
      throw new StoreIoException(
          "backups are there, and a store must not be: directory="
              + disk.describe("")
              + "; name another, or restore them to another");
    }
    boolean cutShort = disk.exists(NEW_PAGE_FILE);
    String found = null;
    if (LogFiles.exist(disk)) {
      found = LogFiles.DIRECTORY;
    } else if (LogArchive.exists(disk)) {
      found = LogArchive.DIRECTORY;
    } else if (disk.exists(BallastFile.NAME)) {
      found = BallastFile.NAME;
    } else if (!cutShort && disk.exists(Keyring.FILE_NAMES.getFirst())) {
      found = Keyring.FILE_NAMES.getFirst();
    } else if (!cutShort && lock != null && lock.wasSigned()) {
      found = LOCK_FILE;
    }
    if (found != null) {
      throw new CorruptStoreException(
          "the page file is missing, but there was a store: missing="
              + disk.describe(PageFile.NAME)
              + ", found="
              + disk.describe(found)
              + "; put it back, or restore this store from a backup; or empty the directory if"
              + " nothing of it is wanted"
              + (found.equals(LOCK_FILE) || found.equals(Keyring.FILE_NAMES.getFirst())
                  ? ": an older version that was stopped while it made a store left this file, too"
                  : ""));
    }
  }

  /// Makes the files of a new store.
  ///
  /// (O1) The unfinished page file comes before the keys. The lock is signed, and log and reserve
  /// are written, after the page file has its name. So any of these without either page file
  /// belongs to a store that lost it.
  ///
  /// @param present keys that are there already, of a creation that was cut short
  /// @return the keys, or null if the store is not to be encrypted
  private static @Nullable Keyring create(
      Disk disk, StoreOptions options, @Nullable PageCodec codec, @Nullable Keyring present)
      throws IOException {
    StoreId id =
        present == null
            ? StoreId.of(RandomIds.next())
            : new StoreId(present.idHigh(), present.idLow());
    Keyring keys = present;
    KeySource source = options.encryption();
    if (keys == null && source != null) {
      disk.open(NEW_PAGE_FILE, FileOption.CREATE).close();
      disk.syncDirectory(""); // (O1)
      keys = Keyring.create(disk, source, id.high(), id.low());
    }
    DataKey dataKey = keys == null ? null : keys.dataKey();
    try (PageFile file = PageFile.open(disk, NEW_PAGE_FILE, dataKey, codec)) {
      file.truncate(0);
      Superblocks.writeFirst(file, id, options.pageBytes(), LogPosition.ORIGIN);
    }
    disk.rename(NEW_PAGE_FILE, PageFile.NAME);
    disk.syncDirectory("");
    return keys;
  }

  /// Takes a backup of a store.
  ///
  /// @param store one that was opened here
  public static BackupPoint backup(Store store, BackupPlace target, BackupOptions options) {
    return opened(store).backup(target, options);
  }

  /// Takes a backup of a store to a disk, which is closed then.
  ///
  /// @param store one that was opened here
  public static BackupPoint backup(Store store, Disk target, BackupOptions options) {
    return backup(store, new BackupPlace.OfDisk(target), options);
  }

  /// How many commits a store has applied since it was opened, without the records that an archived
  /// log holds in addition. Takes no lock.
  ///
  /// @param store one that was opened here
  public static long appliedCommits(Store store) {
    return opened(store).appliedCommits();
  }

  private static OpenStore opened(Store store) {
    if (store instanceof OpenStore opened) {
      return opened;
    }
    throw new IllegalArgumentException(
        "not the store that Store.open returned: class="
            + store.getClass().getName()
            + "; give that one, not a wrapper of it");
  }

  /// Opens a store in memory.
  public static Store inMemory(StoreOptions options) {
    Disk disk = new MemoryDisk();
    StoreOptions inMemory =
        options
            .durability(Durability.NONE)
            .cacheBytes(Long.MAX_VALUE / 4)
            .cache(cache -> cache.offHeapBytes(0)); // nothing leaves the heap
    try {
      PageFile file = PageFile.open(disk, PageFile.NAME);
      return new OpenStore(inMemory, Clock.SYSTEM, new StoreFiles(disk, null, file), 1, null);
    } catch (IOException e) {
      throw new IllegalStateException("a disk in memory failed", e);
    }
  }
}
