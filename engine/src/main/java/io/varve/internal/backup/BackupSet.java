package io.varve.internal.backup;

import io.varve.Commit;
import io.varve.CorruptStoreException;
import io.varve.StoreIoException;
import io.varve.StoreLockedException;
import io.varve.admin.BackupPoint;
import io.varve.admin.RestoreTo;
import io.varve.internal.crypto.DataKey;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.disk.FileOption;
import io.varve.internal.file.Catalog;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.Superblock;
import io.varve.internal.wal.LogRecovery;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogArchive;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The backup points in one directory, a file each, or the one point in a single file.
///
/// A point is full, or continues from a *base* before it, which has the same store. The points from
/// a full one to a later one that stand on each other are that point's *chain*.
///
/// For one thread; a directory that is written is locked.
public final class BackupSet implements AutoCloseable {
  /// What the name of a backup file ends in.
  public static final String SUFFIX = ".vbk";

  /// What is added to the name of a file that is being written.
  static final String UNFINISHED = ".new";

  private static final String LOCK_FILE = "lock";

  /// What is added to the name of a single file for the lock of the process that writes it. The
  /// lock file stays: another backup may have it open already.
  private static final String SINGLE_LOCK = ".lock";

  private final Disk disk;

  /// The name of the one file, or null for a directory.
  private final @Nullable String single;

  private @Nullable DiskLock lock;

  /// Makes the set on a disk.
  ///
  /// @param single the name of the one file, or null for a directory of points
  public BackupSet(Disk disk, @Nullable String single) {
    this.disk = disk;
    this.single = single;
  }

  /// The set at a path: one file if it ends in [#SUFFIX], otherwise a directory.
  ///
  /// @param create whether to make a directory that is missing
  public static BackupSet open(Path path, boolean create) {
    Path name = path.getFileName();
    if (name == null || !name.toString().endsWith(SUFFIX)) {
      return new BackupSet(FileDisk.open(path, create), null);
    }
    Path parent = path.toAbsolutePath().getParent();
    if (parent == null) {
      throw new StoreIoException("no file can be there: path=" + path + "; name a file");
    }
    return new BackupSet(FileDisk.open(parent, create), name.toString());
  }

  /// Where the set is, for messages.
  public String where() {
    return disk.describe(single == null ? "" : single);
  }

  /// Keeps others from writing here, and deletes what a backup left that broke off.
  ///
  /// @throws io.varve.StoreLockedException if another backup runs here
  public void lock() throws IOException {
    if (single != null) {
      lock = locked(single + SINGLE_LOCK);
      lock.sign();
      return;
    }
    if (disk.exists(PageFile.NAME)) {
      throw new StoreIoException(
          "a store is there, and backups must not: directory=" + where() + "; name another");
    }
    lock = locked(LOCK_FILE);
    lock.sign();
    for (String name : disk.list("")) {
      if (name.endsWith(SUFFIX + UNFINISHED)) {
        disk.delete(name);
      }
    }
  }

  private DiskLock locked(String name) throws IOException {
    try {
      return disk.lock(name);
    } catch (StoreLockedException e) {
      throw new StoreLockedException(
          "another backup is being written there: target="
              + where()
              + ", lock="
              + disk.describe(name)
              + "; the points there are as they were; wait until it has ended, or name another"
              + " target; "
              + e.getMessage(),
          e);
    }
  }

  /// A file of the set.
  ///
  /// @param header null if it is damaged
  record PointFile(String name, long number, @Nullable BackupHeader header) {}

  /// The points whose files can be read, oldest first.
  public List<BackupHeader> points() throws IOException {
    List<BackupHeader> points = new ArrayList<>();
    for (PointFile file : files()) {
      if (file.header != null) {
        points.add(file.header);
      }
    }
    return points;
  }

  private List<PointFile> files() throws IOException {
    List<PointFile> files = new ArrayList<>();
    if (single != null) {
      files.add(read(single, 1));
      return files;
    }
    for (String name : disk.list("")) {
      long number = number(name);
      if (number > 0) {
        files.add(read(name, number));
      }
    }
    return files; // in the order of their names, which is that of their numbers
  }

  private static long number(String name) {
    if (!name.endsWith(SUFFIX)) {
      return 0;
    }
    try {
      return Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
    } catch (NumberFormatException e) {
      return 0; // not a name of ours
    }
  }

  private String name(long number) {
    return single != null ? single : String.format(Locale.ROOT, "%020d", number) + SUFFIX;
  }

  private PointFile read(String name, long number) throws IOException {
    byte[] block = new byte[BackupHeader.BYTES];
    try (DiskFile file = disk.open(name, FileOption.READ_ONLY)) {
      file.read(0, ByteBuffer.wrap(block));
    }
    return new PointFile(name, number, BackupHeader.decode(block, disk.describe(name)));
  }

  /// The point that a restore starts from. A commit or time is looked for among the points of one
  /// store, that of the newest point: LSNs of several stores cannot be compared, and what another
  /// one was at a time, this one may never have been. Points whose header is damaged are passed
  /// over there: the state may need them not at all.
  public BackupHeader choose(RestoreTo state) throws IOException {
    return switch (state) {
      case RestoreTo.Newest _ -> newest();
      case RestoreTo.Point(var number) -> point(number);
      case RestoreTo.Commit(Commit(var lsn)) ->
          newest(point -> point.lsn() <= lsn, "commit=" + lsn);
      case RestoreTo.Time(var time) ->
          newest(point -> point.timeMillis() <= time.toEpochMilli(), "time=" + time);
    };
  }

  private BackupHeader newest(Predicate<BackupHeader> wanted, String what) throws IOException {
    List<BackupHeader> points = points();
    UUID store = points.isEmpty() ? newest().store() : points.getLast().store();
    BackupHeader ofOther = null;
    for (BackupHeader point : points.reversed()) {
      if (wanted.test(point)) {
        if (point.store().equals(store)) {
          return point;
        }
        ofOther = ofOther == null ? point : ofOther;
      }
    }
    throw new StoreIoException(
        "every point is younger: place="
            + where()
            + ", "
            + what
            + (ofOther == null
                ? "; list the points"
                : ", store="
                    + store
                    + "; points of another store fit, as number "
                    + ofOther.number()
                    + " does: name it, or restore from a copy of this place without the points of"
                    + " later stores"));
  }

  /// The newest point.
  ///
  /// @throws CorruptStoreException if the file of the newest one is damaged
  /// @throws StoreIoException if there is none
  public BackupHeader newest() throws IOException {
    List<PointFile> files = files();
    if (files.isEmpty()) {
      throw new StoreIoException("no backup there: place=" + where() + "; name another");
    }
    return requireHeader(files.getLast());
  }

  /// The point of that number.
  ///
  /// @throws StoreIoException if there is none
  public BackupHeader point(long number) throws IOException {
    for (PointFile file : files()) {
      if (file.number == number) {
        return requireHeader(file);
      }
    }
    throw new StoreIoException(
        "no such point: place=" + where() + ", point=" + number + "; list the points");
  }

  private BackupHeader requireHeader(PointFile file) {
    BackupHeader header = file.header;
    if (header == null) {
      throw new CorruptStoreException(
          "backup is damaged: header does not check: file="
              + disk.describe(file.name)
              + ", offset=0, point="
              + file.number
              + "; restore to a point before it, or from another copy of this file");
    }
    return header;
  }

  /// The points from a full one to this one that stand on each other.
  ///
  /// @throws CorruptStoreException if one is damaged or missing
  List<BackupHeader> chain(BackupHeader point) throws IOException {
    List<BackupHeader> chain = new ArrayList<>();
    chain.add(point);
    for (BackupHeader at = point; at.base() != null; at = chain.getFirst()) {
      chain.addFirst(base(at));
    }
    return chain;
  }

  private BackupHeader base(BackupHeader point) throws IOException {
    String name = name(point.baseNumber());
    BackupHeader base =
        point.baseNumber() < point.number() && disk.exists(name)
            ? read(name, point.baseNumber()).header
            : null;
    if (base == null || !base.point().equals(point.base())) {
      throw new CorruptStoreException(
          "backup lacks the point that another continues from: file="
              + disk.describe(name)
              + ", point="
              + point.number()
              + ", base="
              + point.baseNumber()
              + "; put that file back, or restore to another point");
    }
    return base;
  }

  /// Opens the images of a point.
  BackupReader reader(BackupHeader point) throws IOException {
    return new BackupReader(disk, name(point.number()), point);
  }

  /// The catalog of a point.
  ///
  /// @param file of the same store
  Catalog catalog(BackupHeader point, PageFile file) throws IOException {
    try (BackupReader reader = reader(point)) {
      return Catalog.decode(file.opened(reader.first(), point.catalogExtent()));
    }
  }

  /// A point being written.
  ///
  /// @param base what it continues from; null for a full one
  record NewPoint(long number, UUID id, UUID store, @Nullable BackupHeader base) {}

  /// Chooses number and base of the next point.
  NewPoint begin(Superblock superblock, boolean full) throws IOException {
    UUID store = new UUID(superblock.idHigh(), superblock.idLow());
    if (single != null) {
      return new NewPoint(1, UUID.randomUUID(), store, null);
    }
    long number = 1;
    BackupHeader base = null;
    for (PointFile file : files()) {
      number = file.number + 1;
      BackupHeader header = file.header;
      if (header != null && header.store().equals(store)) {
        base = header;
      }
    }
    boolean goesOn = !full && base != null && base.epoch() < superblock.epoch() && isWhole(base);
    return new NewPoint(number, UUID.randomUUID(), store, goesOn ? base : null);
  }

  private boolean isWhole(BackupHeader point) throws IOException {
    try {
      return !chain(point).isEmpty();
    } catch (CorruptStoreException e) {
      System.getLogger(BackupSet.class.getName())
          .log(System.Logger.Level.WARNING, "a full backup is taken, since the chain is broken", e);
      return false;
    }
  }

  BackupWriter write(NewPoint point) throws IOException {
    return new BackupWriter(disk, name(point.number), point.id);
  }

  /// Copies the log that a store keeps, up to a place in it. Single files hold none.
  ///
  /// @return what the store can release once the point is there
  public List<String> archiveLog(Disk store, long endLsn) throws IOException {
    return single == null ? LogArchive.archive(store, disk, endLsn) : List.of();
  }

  /// The log of the store that a point was taken of, from where the point needs it.
  ///
  /// @param dataKey of that store, or null if it is not encrypted
  public LogRecovery log(BackupHeader point, @Nullable DataKey dataKey) {
    return LogRecovery.findForReading(
        disk,
        storeId(point),
        new LogPosition(point.logFromLsn(), point.generation(), /* mayEnd= */ true),
        dataKey);
  }

  private static StoreId storeId(BackupHeader point) {
    UUID store = point.store();
    return new StoreId(store.getMostSignificantBits(), store.getLeastSignificantBits());
  }

  /// Deletes all points but the newest ones and those that these continue from.
  ///
  /// @param count how many of the newest to keep, at least 1
  /// @return what was deleted
  public List<BackupHeader> prune(int count) throws IOException {
    if (single != null) {
      return List.of();
    }
    List<BackupHeader> points = points();
    Set<UUID> kept = new HashSet<>();
    for (BackupHeader point : points.subList(Math.max(0, points.size() - count), points.size())) {
      chain(point).forEach(needed -> kept.add(needed.point()));
    }
    List<BackupHeader> deleted = new ArrayList<>();
    // The newest first, so that none ever lacks its base.
    for (BackupHeader point : points.reversed()) {
      if (!kept.contains(point.point())) {
        disk.delete(name(point.number()));
        deleted.addFirst(point);
      }
    }
    disk.syncDirectory("");
    pruneLog();
    return deleted;
  }

  /// Deletes the log that no point continues by.
  private void pruneLog() throws IOException {
    List<BackupHeader> points = points();
    LogArchive.prune(
        disk,
        stretch ->
            points.stream()
                .anyMatch(point ->
                    point.logFromLsn() >= 0
                        && point.logFromLsn() < stretch.endLsn()
                        && storeId(point).equals(stretch.store())));
  }

  /// What users are shown of a point.
  public BackupPoint describe(BackupHeader point) {
    return new BackupPoint(
        point.number(),
        point.store(),
        point.baseNumber(),
        new Commit(point.lsn()),
        Instant.ofEpochMilli(point.timeMillis()),
        point.fileBytes(),
        disk.describe(name(point.number())));
  }

  @Override
  public void close() {
    try (disk) {
      DiskLock held = lock;
      if (held != null) {
        held.close();
      }
    }
  }
}
