package io.varve.internal.store;

import io.varve.StoreLockedException;
import io.varve.internal.backup.TakenPoints;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.DiskLock;
import io.varve.internal.disk.RandomIds;
import io.varve.internal.file.OpenRecord;
import io.varve.internal.file.PageFile;
import io.varve.internal.wal.segment.LogReach;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Notices that another process has opened the store although this one holds its locks. Code in
/// this process that closes a channel of a locked file releases its lock, for example by copying
/// the directory.
///
/// - (G1) An open writes its own [OpenRecord] before its first superblock, and compares the newest
///   superblock after that with the one that it recovered from.
/// - (G2) No superblock is written while the record is that of another open, or the page file's
///   name leads elsewhere.
///
/// It keeps the backup points of the store there as well: so they are those of the history that the
/// page file holds, whatever copies of it were opened.
final class OpenGuard implements LogReach.Keeper, TakenPoints {
  private final PageFile file;
  private final DiskLock lock;

  /// What the open before left.
  private final @Nullable LogReach known;

  private OpenRecord record; // guarded by this
  private boolean isWritten; // guarded by this

  OpenGuard(PageFile file, DiskLock lock, long nowMillis) throws IOException {
    this.file = file;
    this.lock = lock;
    OpenRecord before = OpenRecord.read(file);
    int generation = before == null ? OpenRecord.UNKNOWN : before.generation();
    long preparedLsn = before == null ? 0 : before.preparedLsn();
    known = generation == OpenRecord.UNKNOWN ? null : new LogReach(generation, preparedLsn);
    UUID opener = RandomIds.next();
    record =
        new OpenRecord(
            opener.getMostSignificantBits(),
            opener.getLeastSignificantBits(),
            ProcessHandle.current().pid(),
            nowMillis,
            generation,
            preparedLsn,
            before == null ? List.of() : before.points());
  }

  @Override
  public synchronized boolean contains(UUID point) {
    return record.points().contains(point);
  }

  /// The next open takes a full point if the write fails, as where the store was closed during the
  /// backup. That is no fault to search for, so the message has no stack trace.
  @Override
  public synchronized void add(UUID point, @Nullable UUID before) {
    record = record.withPoint(point, before);
    if (!isWritten) {
      return; // the record of an earlier open has points of this history, too
    }
    try {
      check();
      record.write(file);
    } catch (IOException e) {
      System.getLogger(OpenGuard.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "a backup point was not noted in its store, and may be followed by a full one: file="
                  + file.where()
                  + "; "
                  + e.getMessage());
    }
  }

  @Override
  public @Nullable LogReach known() {
    return known;
  }

  /// (G3) The record of another open is not overwritten by what this log reached.
  @Override
  public synchronized void remember(LogReach reach) throws IOException {
    if (!isWritten) {
      return; // what an earlier open remembered of earlier generations is true all the same
    }
    check();
    record = record.withLog(reach.generation(), reach.preparedLsn());
    try {
      record.write(file);
    } catch (DiskFullException e) {
      // To know of less log than there is does no harm.
      if (reach.equals(LogReach.DISCARDED)) {
        throw e;
      }
    }
  }

  /// Writes the record of this open. Without one, as on a disk that is full or drops the write,
  /// other opens are not noticed.
  synchronized void enter() throws IOException {
    try {
      record.write(file);
      OpenRecord written = OpenRecord.read(file);
      isWritten = written != null && written.isOfSameOpen(record);
    } catch (DiskFullException _) {
      isWritten = false;
    }
  }

  /// Checks that no other process has opened the store since [#enter].
  ///
  /// @throws StoreLockedException if one has
  /// @throws IOException if the page file was deleted, moved or replaced
  synchronized void check() throws IOException {
    lock.requireInPlace();
    OpenRecord found = isWritten ? OpenRecord.read(file) : null;
    if (found != null && !found.isOfSameOpen(record)) {
      throw new StoreLockedException(
          "the store was opened by another process while it was open here: file="
              + file.where()
              + ", "
              + describe(found)
              + ", ownPid="
              + record.pid()
              + "; close both, verify the store, and let nothing in this process read its files:"
              + " commits acknowledged here since then may be missing there");
    }
  }

  /// The process that opened a store, for messages.
  static String describe(@Nullable OpenRecord record) {
    return record == null
        ? "holderPid=unknown"
        : "holderPid=" + record.pid() + ", openedAt=" + Instant.ofEpochMilli(record.openedMillis());
  }
}
