package io.varve.internal.store;

import io.varve.BackupOptions;
import io.varve.BackupPoint;
import io.varve.CorruptStoreException;
import io.varve.Durability;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.StoreOptions;
import io.varve.internal.backup.BackupSet;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.page.PageFile;
import io.varve.internal.page.Superblock;
import io.varve.internal.wal.Log;
import io.varve.internal.wal.LogOptions;
import io.varve.internal.wal.LogPosition;
import io.varve.internal.wal.LogRecovery;
import io.varve.internal.wal.StoreId;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/// Opens stores: on a directory, on any [Disk], or in memory.
public final class StoreOpener {
  static final String LOCK_FILE = "lock";

  /// A page file that a restore has not finished.
  static final String RESTORING_PAGE_FILE = "pages.restoring";

  /// A page file on its way: it gets its name when its superblocks are durable, so that a page file
  /// without a superblock is always damage and never a crash of its creation.
  private static final String NEW_PAGE_FILE = "pages.new";

  private StoreOpener() {}

  /// Opens the store in a directory.
  public static Store open(Path directory, StoreOptions options) {
    Disk disk = FileDisk.open(directory, options.createIfMissing());
    return open(disk, Clock.SYSTEM, StoreThreads.PLATFORM, options);
  }

  /// Opens the store on a disk. The disk is closed with the store, or if this fails.
  public static Store open(Disk disk, Clock clock, StoreThreads threads, StoreOptions options) {
    if (options.durability() == Durability.NONE) {
      throw new IllegalArgumentException(
          "durability NONE is for stores in memory: use Store.inMemory(), or BACKGROUND");
    }
    DiskLock lock = null;
    PageFile file = null;
    boolean opened = false;
    try {
      if (!options.createIfMissing() && !disk.exists(PageFile.NAME)) {
        throw missing(disk); // and leave no file behind
      }
      lock = disk.lock(LOCK_FILE);
      if (!disk.exists(PageFile.NAME)) {
        create(disk, options);
      }
      file = PageFile.open(disk, PageFile.NAME);
      Superblock newest = Superblock.readNewest(file);
      if (newest == null) {
        throw new CorruptStoreException(
            "no superblock is whole: file=" + file.where() + "; restore this store from a backup");
      }
      OpenStore store = recover(new StoreFiles(disk, lock, file), clock, threads, newest, options);
      opened = true;
      return store;
    } catch (DiskFullException e) {
      throw full(disk.describe(""), e);
    } catch (IOException e) {
      throw new StoreIoException(
          "cannot open the store: directory=" + disk.describe("") + "; " + e.getMessage(), e);
    } finally {
      if (!opened) {
        new StoreFiles(disk, lock, file).close();
      }
    }
  }

  private static StoreFullException full(String directory, IOException cause) {
    return new StoreFullException(
        "no room to open the store: directory=" + directory + "; make room and try again", cause);
  }

  private static StoreIoException missing(Disk disk) {
    return new StoreIoException(
        "no store there: directory="
            + disk.describe("")
            + "; allow StoreOptions.createIfMissing() to make one");
  }

  private static void create(Disk disk, StoreOptions options) throws IOException {
    if (Log.exists(disk)) {
      throw new CorruptStoreException(
          "there is a log but no page file: missing="
              + disk.describe(PageFile.NAME)
              + "; restore this store from a backup");
    }
    if (disk.exists(RESTORING_PAGE_FILE)) {
      throw new StoreIoException(
          "a restore into this directory was not finished: file="
              + disk.describe(RESTORING_PAGE_FILE)
              + "; empty the directory and restore again");
    }
    SecureRandom random = new SecureRandom();
    StoreId id = new StoreId(random.nextLong(), random.nextLong());
    try (PageFile file = PageFile.open(disk, NEW_PAGE_FILE)) {
      file.truncate(0);
      Checkpointer.writeFirst(file, id, options.pageBytes(), LogPosition.ORIGIN);
    }
    disk.rename(NEW_PAGE_FILE, PageFile.NAME);
    disk.syncDirectory("");
  }

  private static OpenStore recover(
      StoreFiles files,
      Clock clock,
      StoreThreads threads,
      Superblock superblock,
      StoreOptions options)
      throws IOException {
    long started = clock.nanoTime();
    StoreId id = new StoreId(superblock.idHigh(), superblock.idLow());
    Superblock before = superblock.readBefore(files.pages());
    LogRecovery recovery =
        Log.recover(files.disk(), logOptions(options).threads(threads), id, position(superblock));
    long firstEpoch = firstEpoch(superblock, before != null, recovery.nextGeneration());
    OpenStore store = new OpenStore(options, clock, files, superblock, firstEpoch);
    boolean holdsBefore = before != null && before.catalogExtent() != superblock.catalogExtent();
    Replay replay = store.restore(superblock, holdsBefore);
    long lastLsn = recovery.replay(replay);
    replay.finish();
    Log log = recovery.start(clock, position(before == null ? superblock : before));
    store.start(
        log,
        threads,
        superblock,
        Math.max(lastLsn, superblock.cut()),
        replay,
        clock.nanoTime() - started);
    return store;
  }

  private static LogPosition position(Superblock superblock) {
    return new LogPosition(superblock.cut(), superblock.generation(), superblock.mayEnd());
  }

  /// The first epoch of a life of the store. None is ever used twice, whatever a crash or a damaged
  /// superblock took back: each generation of the log has epochs of its own, more than can be
  /// closed in it. So of two images of a page the one of the higher epoch is the newer, and what a
  /// backup holds of an epoch stays true.
  private static long firstEpoch(Superblock newest, boolean both, int generation) {
    long first = (long) generation << 32;
    if (!both) {
      first += 1L << 31; // Perhaps that of a checkpoint in this generation, before it had any log.
    }
    return Math.max(first, newest.epoch() + 1);
  }

  /// The log's own limits. Its buffer is at most a quarter of what the log may hold: up to one
  /// buffer's length is lost at each open, where the log begins at a multiple of it, and no
  /// checkpoint would ever make room for a commit in what would be left.
  private static LogOptions logOptions(StoreOptions options) {
    long ringBytesMax = Long.highestOneBit(options.logBytesMax() / 4);
    return LogOptions.defaults()
        .ringBytes((int) Math.min(options.logBufferBytes(), ringBytesMax))
        .segmentBytes(options.logSegmentBytes())
        .logBytesMax(options.logBytesMax())
        .flushIntervalNanos(options.flushInterval().toNanos());
  }

  /// Takes a backup of a store to a disk, which is closed then.
  ///
  /// @param store one that was opened here
  public static BackupPoint backup(Store store, Disk target, BackupOptions options) {
    try (BackupSet set = new BackupSet(target, null)) {
      return ((OpenStore) store).backup(set, options);
    }
  }

  /// Opens a store in memory.
  public static Store inMemory(StoreOptions options) {
    Disk disk = new MemoryDisk();
    StoreOptions inMemory = options.durability(Durability.NONE).cacheBytes(Long.MAX_VALUE / 4);
    try {
      PageFile file = PageFile.open(disk, PageFile.NAME);
      return new OpenStore(inMemory, Clock.SYSTEM, new StoreFiles(disk, null, file), null, 1);
    } catch (IOException e) {
      throw new IllegalStateException("a disk in memory failed", e);
    }
  }

  /// What a store holds of its directory.
  record StoreFiles(Disk disk, @Nullable DiskLock lock, @Nullable PageFile file) {
    PageFile pages() {
      PageFile present = file;
      if (present == null) {
        throw new IllegalStateException("the page file is not open");
      }
      return present;
    }

    /// Closes the file, gives back the lock, and ends the use of the disk.
    void close() {
      PageFile present = file;
      DiskLock held = lock;
      try (disk) {
        try {
          if (present != null) {
            present.close();
          }
        } catch (IOException e) {
          throw new StoreIoException("cannot close a file: file=" + PageFile.NAME, e);
        } finally {
          if (held != null) {
            held.close();
          }
        }
      }
    }
  }
}
