package io.varve.internal.checkpoint;

import io.varve.StoreFullException;
import io.varve.VarveException;
import io.varve.internal.cache.PageCache;
import io.varve.internal.cache.Pages;
import io.varve.internal.disk.MeteredDisk;
import io.varve.internal.file.LargeAccounts;
import io.varve.internal.file.PageFile;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.OrderedLock;
import io.varve.internal.lock.StoreLocks;
import io.varve.internal.txn.Throttle;
import io.varve.internal.wal.format.LogFiles;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Keeps enough capacity on disk, or within the quota, for the next checkpoint: without one neither
/// the log nor the pages that a delete retires ever become free.
///
/// A commit that adds something is refused unless the next checkpoint would find capacity, and some
/// to spare. That checkpoint is the one of all that is dirty then, with this commit and those under
/// way. The capacity to spare is for inner pages, for fragments, for what the log may still take,
/// and for the [BallastFile]. A commit that only deletes or moves may use what the others had to
/// leave.
///
/// Other programs may fill the disk at any time: of a real disk, the reserve alone is sure.
///
/// Here is the account alone; [CapacityReclaimer] frees what deletes left when it does not suffice.
///
/// Safe for threads. The lock is held for the look alone, and no other is taken under it but those
/// of the accounts.
public final class DiskAdmission {
  /// What inner pages may take, as a part of the pages that are live: a few percent, usually.
  private static final int INNER_PART = 10;

  /// The free part of the page file, to what is live, from which on a commit may compact it.
  private static final int COMPACTION_PART = 8;

  /// About the bytes of an inner page.
  private static final long INNER_BYTES = 12 << 10;

  /// Smaller pieces of free space in the page file are not counted on.
  private static final int PIECE_BYTES_MIN = 32 << 10;

  /// Nor these where a few pages alone are to be written.
  private static final int SHORT_PIECE_BYTES_MIN = 4 << 10;

  /// For the catalog, and what is rounded up to whole units.
  private static final long FIXED_BYTES = 64 << 10;

  /// With so much left before the next look, small commits are not counted while they are under
  /// way: many thousand threads would have to commit concurrently to take it.
  private static final long AMPLE_BYTES = 256L << 20;

  private static final long SMALL_BYTES = 64 << 10;

  private final MeteredDisk disk;
  private final PageFile file;
  private final PageCache cache;
  private final int pageBytes;
  private final BallastFile ballast;
  private final LargeAccounts largeValues;
  private final long logFileBytesMax;
  private final OrderedLock lock;

  /// What commits may add that were admitted, and are neither applied nor abandoned; except small
  /// ones while there is ample capacity.
  private final AtomicLong underWayBytes = new AtomicLong();

  /// What [#presentBytes] may come to before the next look at the disk. Written under the lock,
  /// read by any thread; a stale value only delays the look.
  private volatile long unseenBytesMax;

  /// The same for images of large values, which the reserve is not for.
  private volatile long unseenImageBytesMax;

  public DiskAdmission(MeteredDisk disk, Pages pages, BallastFile ballast, long logFileBytesMax) {
    this.disk = disk;
    this.file = pages.file();
    this.cache = pages.cache();
    this.pageBytes = pages.pageBytes();
    this.ballast = ballast;
    this.largeValues = pages.largeValues();
    this.logFileBytesMax = logFileBytesMax;
    this.lock = new OrderedLock(file.locks(), LockOrder.ADMISSION);
  }

  /// The locks of the store.
  StoreLocks locks() {
    return file.locks();
  }

  /// Admits a commit, unless the disk must be looked at first.
  ///
  /// @param dirtyingBytes the most that the commit may add to what the next checkpoint writes
  /// @param grows whether it adds something, rather than only delete or move
  /// @return what is to be given to [#ended], or [Throttle#NOT_NOW]
  long tryAdmit(long dirtyingBytes, boolean grows) {
    if (!grows || ballast.missingBytes() == 0) {
      if (dirtyingBytes <= SMALL_BYTES
          && presentBytes() + underWayBytes.get() <= unseenBytesMax - AMPLE_BYTES) {
        return 0;
      }
      return tryCount(dirtyingBytes, unseenBytesMax);
    }
    return Throttle.NOT_NOW;
  }

  /// Admits an image of a large value, unless the disk must be looked at first.
  ///
  /// @return what is to be given to [#ended], or [Throttle#NOT_NOW]
  long tryAdmitImage(long bytes) {
    return ballast.missingBytes() == 0 ? tryCount(bytes, unseenImageBytesMax) : Throttle.NOT_NOW;
  }

  private long tryCount(long bytes, long presentBytesMax) {
    // Counted before the look at what is there: what is applied between the two counts twice.
    long underWay = underWayBytes.addAndGet(bytes);
    if (presentBytes() + underWay <= presentBytesMax) {
      return bytes;
    }
    underWayBytes.addAndGet(-bytes);
    return Throttle.NOT_NOW;
  }

  /// Notes that a commit was applied, or abandoned.
  ///
  /// @param admittedBytes what it was admitted with
  void ended(long admittedBytes) {
    if (admittedBytes != 0) {
      underWayBytes.addAndGet(-admittedBytes);
    }
  }

  /// What takes capacity or is going to: pages and large values in the file, and dirty pages.
  private long presentBytes() {
    return file.extents().takenBytes() + cache.unwrittenBytes();
  }

  /// Looks at the disk, and admits a commit if a checkpoint would find capacity for it, and the log
  /// before. Its log counts with what is under way, so that others do not count on the same.
  ///
  /// @param logExcessBytes what the log's files may take for it beyond their limit
  /// @return whether it was admitted, with the sum of both, which is to be given to [#ended]
  boolean admitByLook(long dirtyingBytes, long logExcessBytes, boolean grows) {
    lock.lock();
    try {
      boolean has = hasCapacity(dirtyingBytes, logExcessBytes, grows);
      if (has) {
        underWayBytes.addAndGet(dirtyingBytes + logExcessBytes);
      }
      return has;
    } finally {
      lock.unlock();
    }
  }

  /// Looks at the disk, and admits an image of a large value as [#admitByLook] does a commit: if it
  /// finds capacity beyond the reserve and the log's due.
  boolean admitImageByLook(long bytes) {
    lock.lock();
    try {
      boolean has = hasCapacity(bytes, 0, true) && bytes <= imageBytesMax(usableBytes());
      if (has) {
        underWayBytes.addAndGet(bytes);
      }
      return has;
    } finally {
      lock.unlock();
    }
  }

  /// What images may take that are under way.
  private long imageBytesMax(long usable) {
    return capacityBytes(usable, logDueBytes(0))
        - (usable > Long.MAX_VALUE / 2 ? 0 : ballast.bytes());
  }

  /// The exception for a commit that is not admitted.
  StoreFullException refusal(
      long dirtyingBytes, long logExcessBytes, @Nullable VarveException cause) {
    String message =
        "no capacity for a checkpoint of what the commit changes: directory="
            + disk.describe("")
            + ", dirtyingBytes="
            + dirtyingBytes
            + ", logBytes="
            + logDueBytes(logExcessBytes)
            + ", usableBytes="
            + usableBytes()
            + ", freeBytes="
            + freeBytes()
            + ", retiredBytes="
            + reclaimableBytes()
            + ", dirtyBytes="
            + cache.unwrittenBytes()
            + ", reserveMissingBytes="
            + ballast.missingBytes()
            + "; nothing was changed: free capacity on the disk, raise the quota, close old"
            + " snapshots, or delete entries, fewer at a time, and compact the store; then try again";
    return cause == null ? new StoreFullException(message) : new StoreFullException(message, cause);
  }

  /// Whether no commit is under way, and a checkpoint has written all that were.
  boolean isAtRest() {
    return underWayBytes.get() == 0 && cache.unwrittenBytes() == 0;
  }

  /// What was deleted or replaced, and waits for checkpoints or snapshots to become free.
  long reclaimableBytes() {
    return file.extents().retiredBytes() + largeValues.retiredBytes();
  }

  /// Bytes of the page file that the newest checkpoint reaches.
  long liveBytes() {
    return file.extents().liveBytes();
  }

  /// Bytes below the end of the page file that are not taken.
  long freeBytes() {
    return file.extents().freeBytes();
  }

  /// Whether a refused commit would be admitted if what is free in the page file were in one piece,
  /// or returned to the disk: then a compaction may help. It is not worth its writes for a small
  /// part of what is live, which the next commits would use up.
  boolean mayCompactionHelp(long dirtyingBytes, long logExcessBytes) {
    long usable = usableBytes();
    if (usable > Long.MAX_VALUE / 2 || freeBytes() < file.extents().liveBytes() / COMPACTION_PART) {
      return false;
    }
    long dirty = cache.unwrittenBytes() + underWayBytes.get();
    long all = usable + freeBytes();
    long capacity = ballast.bytes() + Math.max(0, all - logDueBytes(logExcessBytes));
    return dirty + dirtyingBytes <= dirtyBytesMax(capacity);
  }

  /// Whether a checkpoint of what is dirty, and of one more page that a compaction moves, might not
  /// find capacity: pages that none has capacity for would leave no way out.
  boolean isTight() {
    if (presentBytes() + underWayBytes.get() <= unseenBytesMax) {
      return false;
    }
    lock.lock();
    try {
      return !hasCapacity(2L * pageBytes, 0, false);
    } finally {
      lock.unlock();
    }
  }

  /// Looks at the disk.
  private boolean hasCapacity(long dirtyingBytes, long logExcessBytes, boolean grows) {
    ballast.restore();
    long underWay = underWayBytes.get();
    long dirty = cache.unwrittenBytes() + underWay;
    long usable = usableBytes();
    long capacity = capacityBytes(usable, logDueBytes(logExcessBytes));
    long dirtyMax = dirtyBytesMax(capacity);
    // Half of the way to the limit; then another look, since logs and others take capacity as well.
    long seen = presentBytes() + underWay;
    unseenBytesMax = seen + (dirtyMax - dirty) / 2;
    unseenImageBytesMax = seen + Math.min(dirtyMax - dirty, imageBytesMax(usable) - underWay) / 2;
    boolean has;
    if (grows) {
      has = dirty + dirtyingBytes <= dirtyMax && isLogSure();
    } else {
      has =
          neededBytes(dirty + dirtyingBytes) <= capacity
              || (dirty == 0 && leastBytes(dirtyingBytes) <= lastBytes(usable));
    }
    return has;
  }

  /// The dirty pages for which a checkpoint that has so much capacity leaves what it must.
  private long dirtyBytesMax(long capacity) {
    long slack = file.extents().liveBytes() / INNER_PART + FIXED_BYTES + ballast.missingBytes();
    return (capacity - slack) / 9 * 8;
  }

  /// About what a checkpoint of so much takes: images, an eighth longer than pages count since they
  /// are rounded up to units; the inner pages above them; the catalog.
  private long neededBytes(long dirtyBytes) {
    long inner = (dirtyBytes / pageBytes + 1) * INNER_BYTES;
    return dirtyBytes / 8 * 9
        + Math.min(file.extents().liveBytes() / INNER_PART, inner)
        + FIXED_BYTES / 4;
  }

  /// What a checkpoint takes at the least that has nothing else to write than one delete: a leaf,
  /// what is above it, the catalog. If nothing is dirty, no other time is better for it.
  private long leastBytes(long dirtyingBytes) {
    return dirtyingBytes <= 2L * pageBytes
        ? pageBytes + INNER_BYTES + FIXED_BYTES / 16
        : neededBytes(dirtyingBytes);
  }

  /// What such a checkpoint can have: the log's due as well, and short pieces.
  private long lastBytes(long usable) {
    long pieces = file.extents().freeBytesInPieces(SHORT_PIECE_BYTES_MIN);
    return usable > Long.MAX_VALUE / 2 ? usable : usable + ballast.bytes() + pieces;
  }

  /// What the log may still take, if a commit has it exceed the limit of its files.
  private long logDueBytes(long excessBytes) {
    return Math.max(0, logFileBytesMax + excessBytes - disk.usedBytes(LogFiles.DIRECTORY));
  }

  /// Whether deletes will find capacity in the log, whatever else is taken.
  private boolean isLogSure() {
    return ballast.missingBytes() == 0 || usableBytes() >= logDueBytes(0);
  }

  /// What checkpoints can have: free pieces of the page file, the reserve, and what the disk has
  /// beyond the log's due.
  private long capacityBytes(long usable, long logDueBytes) {
    if (usable > Long.MAX_VALUE / 2) {
      return usable;
    }
    // What one image leaves of a piece may be too short for the next.
    long pieces = file.extents().freeBytesInPieces(PIECE_BYTES_MIN) / 4 * 3;
    return pieces + ballast.bytes() + Math.max(0, usable - logDueBytes);
  }

  /// What the disk has, or the quota leaves of it.
  long usableBytes() {
    try {
      return disk.usableBytes();
    } catch (IOException e) {
      return Long.MAX_VALUE; // unknown: then a full disk is met when it is
    }
  }

  /// What the files of the log take, and what the disk has for more of them.
  long logAndUsableBytes() {
    long usable = usableBytes();
    return usable > Long.MAX_VALUE / 2 ? usable : usable + disk.usedBytes(LogFiles.DIRECTORY);
  }

  /// Releases the reserve.
  ///
  /// @return whether there was any
  boolean releaseBallast() {
    return ballast.release();
  }
}
