package io.varve.internal.wal.segment;

import io.varve.StoreIoException;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.SegmentHeader;
import io.varve.internal.wal.format.StoreId;
import io.varve.spi.BackupTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Log that no checkpoint needs any more and that is kept, so that a backup can be restored to any
/// commit after it: segments as they were, named by generation and first LSN. A store has them in
/// `log/kept`; a backup moves them to `log` in the directory of backups, and copies there what else
/// there is of the log up to the backup's checkpoint. There the id of the store is part of the
/// name: stores that share a directory, as a restored one does with its origin, count generations
/// and LSNs alike.
public final class LogArchive {
  /// Where a store has what it keeps.
  public static final String DIRECTORY = LogFiles.DIRECTORY + "/kept";

  private static final int BUFFER_BYTES = 1 << 20;
  private static final Pattern NAME = Pattern.compile("[0-9a-f-]{36}-\\d{10}-\\d{20}\\.log");

  private LogArchive() {}

  /// Whether a store on the disk has kept any.
  public static boolean exists(Disk disk) throws IOException {
    return !segments(disk.list(DIRECTORY)).isEmpty();
  }

  static String fileName(SegmentHeader header) {
    return LogFiles.digits(header.generation(), 10)
        + "-"
        + LogFiles.digits(header.firstLsn(), 20)
        + LogFiles.SUFFIX;
  }

  private static String archivedName(SegmentHeader header) {
    StoreId id = header.id();
    return LogFiles.DIRECTORY + "/" + new UUID(id.high(), id.low()) + "-" + fileName(header);
  }

  /// Takes a segment that is written no more out of the log of a running store.
  ///
  /// @param endLsn where the log of `generation` ends
  static void keep(Disk disk, String name, int generation, long endLsn) throws IOException {
    SegmentHeader header;
    try (DiskFile file = disk.open(name)) {
      header = header(disk, file);
      if (header != null && header.generation() == generation && header.endLsn() > endLsn) {
        // Made ahead of its use; what was not used need not be kept.
        long used = Math.max(0, FrameHeader.blockCeil(endLsn) - header.firstLsn());
        file.truncate(SegmentHeader.BYTES + used);
        file.force();
      }
    }
    if (header == null || (header.generation() == generation && header.firstLsn() >= endLsn)) {
      disk.delete(name); // it never held any log
    } else {
      disk.rename(name, DIRECTORY + "/" + fileName(header));
    }
  }

  /// Makes the directory, durably, before a full disk could be in the way.
  public static void createDirectory(Disk disk) throws IOException {
    disk.createDirectory(DIRECTORY);
    disk.syncDirectory(LogFiles.DIRECTORY);
  }

  /// Makes durable what was moved.
  static void sync(Disk disk) throws IOException {
    disk.syncDirectory(DIRECTORY);
    disk.syncDirectory(LogFiles.DIRECTORY);
  }

  private static @Nullable SegmentHeader header(Disk disk, DiskFile file) throws IOException {
    byte[] block = new byte[SegmentHeader.BYTES];
    file.read(0, ByteBuffer.wrap(block));
    return SegmentHeader.decode(block, disk.describe(file.name()));
  }

  /// Copies what a store keeps to a directory of backups, and what else there is of its log below
  /// `endLsn`, all of which is durable. From older to newer log: a copy that breaks off leaves no
  /// newer log there without what comes before it.
  ///
  /// @return what the store need not keep any more, once the backup is whole: it is durable there
  public static List<String> archive(Disk store, BackupTarget target, long endLsn)
      throws IOException {
    // Listed before what is kept: what was released until then is found there.
    List<String> running = segments(store.list(LogFiles.DIRECTORY));
    List<String> archived = new ArrayList<>();
    archiveKept(store, target, archived);
    for (String name : running) {
      if (!copyIfThere(store, target, LogFiles.DIRECTORY + "/" + name, endLsn)) {
        archiveKept(store, target, archived); // it was released concurrently
      }
    }
    return archived;
  }

  private static void archiveKept(Disk store, BackupTarget target, List<String> archived)
      throws IOException {
    for (String name : segments(store.list(DIRECTORY))) {
      if (!archived.contains(name)
          && copyIfThere(store, target, DIRECTORY + "/" + name, Long.MAX_VALUE)) {
        archived.add(name);
      }
    }
  }

  /// Deletes from a store what [#archive] returned.
  public static void release(Disk store, List<String> archived) throws IOException {
    for (String name : archived) {
      store.delete(DIRECTORY + "/" + name);
    }
  }

  private static List<String> segments(List<String> names) {
    return names.stream().filter(name -> name.endsWith(LogFiles.SUFFIX)).toList();
  }

  /// Copies a segment, unless it went concurrently or has no header that checks.
  ///
  /// @return whether its log below `endLsn` is in the target now
  private static boolean copyIfThere(Disk store, BackupTarget target, String name, long endLsn)
      throws IOException {
    DiskFile file;
    try {
      file = store.open(name, FileOption.READ_ONLY);
    } catch (IOException e) {
      if (store.exists(name)) {
        throw e;
      }
      return false; // released concurrently
    }
    try (file) {
      SegmentHeader header = header(store, file);
      if (header == null) {
        return false;
      }
      if (header.firstLsn() < endLsn) {
        long used =
            Math.min(header.endLsn(), FrameHeader.blockCeil(Math.min(endLsn, header.endLsn())));
        long bytes = Math.min(file.size(), SegmentHeader.BYTES + used - header.firstLsn());
        String archived = archivedName(header);
        if (!isPresent(file, header, bytes, target, archived)) {
          copy(file, bytes, target, archived);
        }
      }
      return true;
    }
  }

  /// Whether the target has these bytes of a segment, durably. If it has fewer, or the file there
  /// is damaged, it may be replaced. Headers are compared by what they state. Their bytes may have
  /// changed since: a ring that has become longer gives the last segment another version, which is
  /// no matter here, where no ring is.
  ///
  /// @throws StoreIoException if it has others, which may be all that is left of their history
  private static boolean isPresent(
      DiskFile file, SegmentHeader header, long bytes, BackupTarget target, String name)
      throws IOException {
    long there = target.size(name);
    if (there < 0) {
      return false;
    }
    SegmentHeader held = header(target, name);
    if (held == null && there <= bytes) {
      return false;
    }
    long alike = header.equals(held) ? alike(file, target, name, Math.min(bytes, there)) : 0;
    if (alike == bytes) {
      target.force(name); // it may have been put there by a copy
      return true;
    }
    // The log that was durable stays the same, but the block where a copy ended may have filled
    // since.
    if (there <= bytes && alike > 0 && alike >= there - FrameHeader.BLOCK) {
      return false;
    }
    throw new StoreIoException(
        "archived log of another history is there: file="
            + target.describe(name)
            + ", segment="
            + file.name()
            + "; this store and a copy of it were both backed up there, or one of the files is"
            + " damaged: nothing was deleted, back up to another directory");
  }

  private static @Nullable SegmentHeader header(BackupTarget target, String name)
      throws IOException {
    byte[] block = new byte[SegmentHeader.BYTES];
    target.read(name, 0, ByteBuffer.wrap(block));
    return SegmentHeader.decode(block, target.describe(name));
  }

  /// How many of the first bytes of a file and of an object are the same, without a look at their
  /// headers.
  private static long alike(DiskFile one, BackupTarget target, String name, long bytes)
      throws IOException {
    ByteBuffer ofOne = ByteBuffer.allocateDirect(BUFFER_BYTES);
    ByteBuffer ofOther = ByteBuffer.allocateDirect(BUFFER_BYTES);
    for (long at = SegmentHeader.BYTES; at < bytes; at += BUFFER_BYTES) {
      int count = (int) Math.min(BUFFER_BYTES, bytes - at);
      one.read(at, ofOne.clear().limit(count));
      target.read(name, at, ofOther.clear().limit(count));
      int difference = ofOne.flip().mismatch(ofOther.flip());
      if (difference >= 0) {
        return at + difference;
      }
    }
    return bytes;
  }

  private static void copy(DiskFile file, long bytes, BackupTarget target, String name)
      throws IOException {
    try (BackupTarget.NewObject copy = target.create(name)) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
      for (long at = 0; at < bytes; ) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), bytes - at));
        int read = file.read(at, buffer);
        if (read <= 0) {
          break;
        }
        copy.write(buffer.flip());
        at += read;
      }
      copy.finish();
    }
  }

  /// Deletes segments from a place of backups; nothing that has not the name of a kept one, and
  /// none that is damaged, since nobody knows what it held.
  ///
  /// @param needed whether a segment of a store whose log ends at an LSN is needed
  public static void prune(BackupTarget target, Predicate<Stretch> needed) throws IOException {
    for (String name : segments(target.list(LogFiles.DIRECTORY))) {
      if (!NAME.matcher(name).matches()) {
        continue;
      }
      String path = LogFiles.DIRECTORY + "/" + name;
      SegmentHeader header = header(target, path);
      if (header != null && !needed.test(new Stretch(header.id(), header.endLsn()))) {
        target.delete(path);
      }
    }
  }

  /// A stretch of the log of a store.
  public record Stretch(StoreId store, long endLsn) {}
}
