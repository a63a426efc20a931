package io.varve.internal.store;

import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.VarveException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.MeteredDisk;
import io.varve.internal.page.PageCache;
import io.varve.internal.page.PageFile;
import io.varve.internal.page.Pages;
import io.varve.internal.txn.Throttle;
import io.varve.internal.wal.Log;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/// Keeps enough room on disk, or within the quota, for the next checkpoint: without one neither the
/// log nor the pages that a delete leaves behind ever become free.
///
/// A commit that adds something is refused unless the checkpoint of all that is dirty then, with
/// this commit and those under way, would find room, and some to spare: for inner pages, for
/// fragments, for what the log may still take, and for the [Reserve]. A commit that only deletes or
/// moves may use what the others had to leave.
///
/// Other programs may fill the disk at any time: of a real disk, the reserve alone is sure.
///
/// Safe for threads. The lock here is taken before the checkpoint lock, by commits that hold none.
final class Room {
  /// What inner pages may take, as a part of the pages that are live: a few percent, usually.
  private static final int INNER_PART = 10;

  /// About the bytes of an inner page.
  private static final long INNER_BYTES = 12 << 10;

  /// Smaller pieces of free space in the page file are not counted on.
  private static final int PIECE_BYTES_MIN = 32 << 10;

  /// Nor these where a few pages alone are to be written.
  private static final int SHORT_PIECE_BYTES_MIN = 4 << 10;

  /// For the catalog, and what is rounded up to whole units.
  private static final long FIXED_BYTES = 64 << 10;

  /// Two checkpoints free what the pages before the first of them took.
  private static final int CHECKPOINTS_MAX = 2;

  /// With so much left before the next look, small commits are not counted while they are under
  /// way: many thousand threads would have to commit at once to take it.
  private static final long AMPLE_BYTES = 256L << 20;

  private static final long SMALL_BYTES = 64 << 10;

  /// How long to wait before checkpoints are tried again that made no room.
  private static final long RETRY_NANOS = 200_000_000;

  private final MeteredDisk disk;
  private final PageFile file;
  private final PageCache cache;
  private final int pageBytes;
  private final Reserve reserve;
  private final Checkpointer checkpointer;
  private final Log log;
  private final long logFileBytesMax;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  /// What commits may add that were admitted, and are neither applied nor given up; but for small
  /// ones while there is ample room.
  private final AtomicLong underWayBytes = new AtomicLong();

  /// What [#presentBytes] may come to before the next look at the disk. Written under the lock,
  /// read by any thread; a stale value only delays the look.
  private volatile long unseenBytesMax;

  private boolean hasFailed; // guarded by lock
  private long failedNanos; // guarded by lock; when checkpoints last made no room

  Room(
      MeteredDisk disk,
      Pages pages,
      Reserve reserve,
      Checkpointer checkpointer,
      Log log,
      long logFileBytesMax,
      Clock clock) {
    this.disk = disk;
    this.file = pages.file();
    this.cache = pages.cache();
    this.pageBytes = pages.pageBytes();
    this.reserve = reserve;
    this.checkpointer = checkpointer;
    this.log = log;
    this.logFileBytesMax = logFileBytesMax;
    this.clock = clock;
  }

  /// Lets a commit pass, if need be after checkpoints on the calling thread.
  ///
  /// @param dirtyingBytes the most that the commit may add to what the next checkpoint writes
  /// @param grows whether it adds something, rather than only delete or move
  /// @return what is to be given to [#ended] when it was applied or given up
  /// @throws StoreFullException if there is no room for it
  long admit(long dirtyingBytes, boolean grows) {
    long admitted = tryAdmit(dirtyingBytes, grows);
    if (admitted != Throttle.NOT_NOW) {
      return admitted;
    }
    admitSlowly(dirtyingBytes, grows);
    return dirtyingBytes;
  }

  /// Lets a commit pass as [#admit] does, unless the disk must be looked at first.
  ///
  /// @return what is to be given to [#ended], or [Throttle#NOT_NOW]
  long tryAdmit(long dirtyingBytes, boolean grows) {
    if (!grows || reserve.missingBytes() == 0) {
      if (dirtyingBytes <= SMALL_BYTES
          && presentBytes() + underWayBytes.get() <= unseenBytesMax - AMPLE_BYTES) {
        return 0;
      }
      // Counted before the look at what is there: what is applied meanwhile counts twice.
      long underWay = underWayBytes.addAndGet(dirtyingBytes);
      if (presentBytes() + underWay <= unseenBytesMax) {
        return dirtyingBytes;
      }
      underWayBytes.addAndGet(-dirtyingBytes);
    }
    return Throttle.NOT_NOW;
  }

  /// Notes that a commit was applied, or given up.
  ///
  /// @param admittedBytes what [#admit] returned
  void ended(long admittedBytes) {
    if (admittedBytes != 0) {
      underWayBytes.addAndGet(-admittedBytes);
    }
  }

  /// What takes room or is going to: pages and large values in the file, and dirty pages.
  private long presentBytes() {
    return file.extents().takenBytes() + cache.unwrittenBytes();
  }

  private void admitSlowly(long dirtyingBytes, boolean grows) {
    lock.lock();
    try {
      if (!hasRoom(dirtyingBytes, grows)) {
        makeRoomOrRefuse(dirtyingBytes, grows);
      }
      underWayBytes.addAndGet(dirtyingBytes);
    } finally {
      lock.unlock();
    }
  }

  private void makeRoomOrRefuse(long dirtyingBytes, boolean grows) {
    VarveException cause = null;
    // A delete that finds no room has left something to write since the last checkpoint.
    if (!grows || !hasFailed || clock.nanoTime() - failedNanos >= RETRY_NANOS) {
      try {
        for (int i = 0; i < CHECKPOINTS_MAX; i++) {
          checkpointer.checkpoint();
          if (hasRoom(dirtyingBytes, grows)) {
            return;
          }
        }
      } catch (StoreFullException | StoreIoException e) {
        cause = e;
      }
      hasFailed = true;
      failedNanos = clock.nanoTime();
    }
    String message =
        "no room for a checkpoint of what the commit changes: directory="
            + disk.describe("")
            + ", dirtyingBytes="
            + dirtyingBytes
            + ", usableBytes="
            + usableBytes()
            + ", freeBytes="
            + file.extents().freeBytes()
            + ", dirtyBytes="
            + cache.unwrittenBytes()
            + "; nothing was changed: make room on the disk, raise the quota, close old snapshots, or"
            + " delete entries, fewer at a time, and compact the store; then try again";
    throw cause == null ? new StoreFullException(message) : new StoreFullException(message, cause);
  }

  /// Looks at the disk.
  private boolean hasRoom(long dirtyingBytes, boolean grows) {
    reserve.restore();
    long underWay = underWayBytes.get();
    long dirty = cache.unwrittenBytes() + underWay;
    long usable = usableBytes();
    long room = roomBytes(usable);
    long slack = file.extents().liveBytes() / INNER_PART + FIXED_BYTES + reserve.missingBytes();
    long dirtyMax = (room - slack) / 9 * 8;
    // Half of the way to the limit; then another look, since logs and others take room as well.
    unseenBytesMax = presentBytes() + underWay + (dirtyMax - dirty) / 2;
    boolean has;
    if (grows) {
      has = dirty + dirtyingBytes <= dirtyMax && isLogSure();
    } else {
      has =
          neededBytes(dirty + dirtyingBytes) <= room
              || (dirty == 0 && leastBytes(dirtyingBytes) <= lastBytes(usable));
    }
    hasFailed &= !has;
    return has;
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
    return usable > Long.MAX_VALUE / 2 ? usable : usable + reserve.bytes() + pieces;
  }

  /// What the log may still take.
  private long logDueBytes() {
    return Math.max(0, logFileBytesMax - disk.usedBytes(Log.DIRECTORY));
  }

  /// Whether deletes will find room in the log, whatever else is taken.
  private boolean isLogSure() {
    return reserve.missingBytes() == 0 || usableBytes() >= logDueBytes();
  }

  /// What checkpoints can have: free pieces of the page file, the reserve, and what the disk has
  /// besides the log's due.
  private long roomBytes(long usable) {
    if (usable > Long.MAX_VALUE / 2) {
      return usable;
    }
    // What one image leaves of a piece may be too short for the next.
    long pieces = file.extents().freeBytesInPieces(PIECE_BYTES_MIN) / 4 * 3;
    return pieces + reserve.bytes() + Math.max(0, usable - logDueBytes());
  }

  private long usableBytes() {
    try {
      return disk.usableBytes();
    } catch (IOException e) {
      return Long.MAX_VALUE; // unknown: then a full disk is met when it is
    }
  }

  /// Makes room in the log for a commit that adds nothing: by the reserve, or else by checkpoints,
  /// which let go of log that is used again.
  ///
  /// @return whether there was any to be made
  boolean makeLogRoom() {
    if (reserve.giveUp()) {
      return true;
    }
    lock.lock();
    try {
      long retained = log.retainedBytes();
      for (int i = 0; i < CHECKPOINTS_MAX; i++) {
        checkpointer.checkpoint();
      }
      return log.retainedBytes() < retained;
    } finally {
      lock.unlock();
    }
  }
}
