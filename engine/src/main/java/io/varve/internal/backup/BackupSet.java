package io.varve.internal.backup;

import io.varve.Commit;
import io.varve.CorruptStoreException;
import io.varve.StoreIoException;
import io.varve.StoreLockedException;
import io.varve.admin.BackupPoint;
import io.varve.admin.RestoreTo;
import io.varve.internal.crypto.DataKey;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.file.Catalog;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.Superblock;
import io.varve.internal.wal.LogRecovery;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogArchive;
import io.varve.spi.BackupTarget;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The backup points in one place, an object each, or the one point in a single file.
///
/// A point is full, or continues from a *base* before it, which is of the same store's own history.
/// The points from a full one to a later one, each the base of the next, are that point's *chain*.
///
/// For one thread; a place that is written is held.
public final class BackupSet implements AutoCloseable {
  private final BackupTarget target;

  /// The name of the one file, or null for a place of points.
  private final @Nullable String single;

  /// Ends the use of the target, if it is this set's alone.
  private final Runnable end;

  private @Nullable Closeable hold;

  private BackupSet(BackupTarget target, @Nullable String single, Runnable end) {
    this.target = target;
    this.single = single;
    this.end = end;
  }

  /// The set in a target of a program, which stays open when the set is closed.
  public static BackupSet of(BackupTarget target) {
    return new BackupSet(target, null, () -> {});
  }

  /// The set in the directory of a disk, which is closed with it.
  public static BackupSet of(Disk disk) {
    return of(disk, null);
  }

  private static BackupSet of(Disk disk, @Nullable String single) {
    return new BackupSet(new DirectoryTarget(disk, single), single, disk::close);
  }

  /// The set at a path: one file if it ends in [DirectoryTarget#SUFFIX], otherwise a directory.
  ///
  /// @param create whether to make a directory that is missing
  public static BackupSet open(Path path, boolean create) {
    return at(path, directory -> FileDisk.open(directory, create));
  }

  /// The set at a path as [#open] gives it, for reads alone.
  public static BackupSet openReadOnly(Path path) {
    return at(path, FileDisk::openReadOnly);
  }

  private static BackupSet at(Path path, Function<Path, Disk> opened) {
    Path name = path.getFileName();
    if (name == null || !name.toString().endsWith(DirectoryTarget.SUFFIX)) {
      return of(opened.apply(path), null);
    }
    Path parent = path.toAbsolutePath().getParent();
    if (parent == null) {
      throw new StoreIoException("no file can be there: path=" + path + "; name a file");
    }
    return of(opened.apply(parent), name.toString());
  }

  /// Where the set is, for messages.
  public String where() {
    return target.describe(single == null ? "" : single);
  }

  /// Keeps others from writing here, and deletes what a backup left that broke off.
  ///
  /// @throws StoreLockedException if another backup runs here
  public void lock() throws IOException {
    hold = target.tryHold();
    if (hold == null) {
      throw new StoreLockedException(
          "another backup is being written there: target="
              + where()
              + "; the points there are as they were; wait until it has ended, or name another"
              + " target");
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
    for (String name : target.list("")) {
      long number = number(name);
      if (number > 0) {
        BackupHeader header = header(name);
        boolean isOfOther =
            header != null && header.number() != number; // a prune would delete that
        files.add(new PointFile(name, number, isOfOther ? null : header));
      }
    }
    files.sort(Comparator.comparingLong(PointFile::number));
    return files;
  }

  /// The number of a point, or 0 for another file, as a backup that its user named by the date.
  private static long number(String name) {
    return DirectoryTarget.isPoint(name)
        ? Long.parseLong(name.substring(0, name.length() - DirectoryTarget.SUFFIX.length()))
        : 0;
  }

  /// Whether points are in the directory of a disk.
  public static boolean areIn(Disk disk) throws IOException {
    return disk.list("").stream().anyMatch(DirectoryTarget::isPoint);
  }

  private String name(long number) {
    return single != null
        ? single
        : String.format(Locale.ROOT, "%020d", number) + DirectoryTarget.SUFFIX;
  }

  private PointFile read(String name, long number) throws IOException {
    return new PointFile(name, number, header(name));
  }

  private @Nullable BackupHeader header(String name) throws IOException {
    long last = target.size(name) - BackupHeader.BYTES;
    BackupHeader header = last < 0 ? null : header(name, last);
    if (header != null && header.isLast() && header.imagesEnd() == last) {
      return header;
    }
    header = header(name, 0);
    return header == null || header.isLast() ? null : header;
  }

  private @Nullable BackupHeader header(String name, long position) throws IOException {
    byte[] block = new byte[BackupHeader.BYTES];
    target.read(name, position, ByteBuffer.wrap(block));
    return BackupHeader.decode(block, target.describe(name));
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

  private BackupHeader requireHeader(PointFile file) throws IOException {
    BackupHeader header = file.header;
    if (header == null) {
      throw new CorruptStoreException(
          "backup is damaged: header does not check: file="
              + target.describe(file.name)
              + ", offset="
              + Math.max(0, target.size(file.name) - BackupHeader.BYTES)
              + ", point="
              + file.number
              + "; restore to a point before it, or from another copy of this file");
    }
    return header;
  }

  /// The points from a full one to this one, each the base of the next.
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
        point.baseNumber() < point.number() && target.size(name) >= 0
            ? read(name, point.baseNumber()).header
            : null;
    if (base == null || !base.point().equals(point.base())) {
      throw new CorruptStoreException(
          "backup lacks the point that another continues from: file="
              + target.describe(name)
              + ", point="
              + point.number()
              + ", base="
              + point.baseNumber()
              + "; put that file back, or restore to another point");
    }
    return base;
  }

  /// Opens the images of a point.
  BackupReader reader(BackupHeader point) {
    return new BackupReader(target, name(point.number()), point);
  }

  /// The catalog of a point.
  ///
  /// @param file of the same store
  Catalog catalog(BackupHeader point, PageFile file) throws IOException {
    return reader(point).catalog(file);
  }

  /// A point being written.
  ///
  /// @param before the newest one here of the same history; null if there is none
  /// @param base what it continues from; null for a full one
  public record NewPoint(
      long number,
      UUID id,
      UUID store,
      @Nullable BackupHeader before,
      @Nullable BackupHeader base) {
    /// Remembers this point, which is whole now.
    public void addTo(TakenPoints taken) {
      taken.add(id, before == null ? null : before.point());
    }
  }

  /// Chooses number and base of the next point.
  ///
  /// @param taken of the history that the superblock is of, where its base is to be from (B3)
  public NewPoint begin(Superblock superblock, boolean full, TakenPoints taken) throws IOException {
    UUID store = new UUID(superblock.idHigh(), superblock.idLow());
    if (single != null) {
      return new NewPoint(1, UUID.randomUUID(), store, null, null);
    }
    long number = 1;
    BackupHeader before = null;
    for (PointFile file : files()) {
      number = file.number + 1;
      BackupHeader header = file.header;
      if (header != null && header.store().equals(store) && taken.contains(header.point())) {
        before = header;
      }
    }
    boolean continues =
        !full && before != null && before.epoch() < superblock.epoch() && isWhole(before);
    return new NewPoint(number, UUID.randomUUID(), store, before, continues ? before : null);
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

  /// Whether points here may be the base of later ones; single files are not.
  public boolean isContinued() {
    return single == null;
  }

  BackupWriter write(NewPoint point) throws IOException {
    return new BackupWriter(target, name(point.number), point.id);
  }

  /// Copies the log that a store keeps, up to a place in it. Single files hold none.
  ///
  /// @return what the store can release once the point is there
  public List<String> archiveLog(Disk store, long endLsn) throws IOException {
    return single == null ? LogArchive.archive(store, target, endLsn) : List.of();
  }

  /// The log of the store that a point was taken of, from where the point needs it.
  ///
  /// @param dataKey of that store, or null if it is not encrypted
  public LogRecovery log(BackupHeader point, @Nullable DataKey dataKey) {
    return LogRecovery.findForReading(
        new TargetDisk(target),
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
        target.delete(name(point.number()));
        deleted.addFirst(point);
      }
    }
    pruneLog();
    return deleted;
  }

  /// Deletes the log that no point continues by.
  private void pruneLog() throws IOException {
    List<BackupHeader> points = points();
    LogArchive.prune(
        target,
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
        target.describe(name(point.number())));
  }

  @Override
  public void close() {
    try {
      Closeable held = hold;
      if (held != null) {
        held.close();
      }
    } catch (IOException e) {
      throw new StoreIoException(
          "the hold of the backups cannot be released: target=" + where() + "; see the cause", e);
    } finally {
      end.run();
    }
  }
}
