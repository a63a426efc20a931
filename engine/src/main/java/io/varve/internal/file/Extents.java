package io.varve.internal.file;

import io.varve.CorruptStoreException;
import io.varve.StoreFullException;
import io.varve.internal.lock.BriefLock;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.StoreLocks;
import io.varve.internal.page.Extent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The accounts of space in the page file: which units are taken, and when those of replaced pages
/// become free.
///
/// - (E1) A unit is taken while either superblock slot, a snapshot, or the log between them can
///   lead to it. An extent made in epoch `m` and retired in epoch `r` is reached by the trees of
///   the epochs from `m` up to and without `r`. So it is freed when both slots' checkpoints are of
///   epoch `r` or later, and no live snapshot is of one of those epochs. A snapshot is only ever
///   taken of the epoch closed last, so none of them can become live after that.
/// - (E2) *Live* units are those that the newest checkpoint reaches. Its catalog records them, and
///   those retired since the checkpoint before it; all else is free after a crash, whatever had
///   been written there.
/// - (E3) *Unreached* extents were written and retired between two checkpoints, so that neither
///   superblock can ever lead to them: one is freed when no live snapshot is of an epoch from `m`
///   up to and without `r`, and its image is not waiting to be written. Whether a checkpoint
///   reaches an extent that was retired while it was being written is known when it ends.
///
/// - (E4) An extent is entered as the last step of a call, which allocates nothing. So a call that
///   broke off for lack of memory has entered nothing.
///
/// Safe for threads; the lock here is innermost.
public final class Extents {
  /// A free tail below this is kept: it would be written again soon.
  private static final long SHRINK_BYTES_MIN = 8L << 20;

  private final BriefLock lock;
  private final UnitMap taken = new UnitMap();
  private final UnitMap live = new UnitMap();
  private final long firstUnit;

  /// Retired extents that a checkpoint reaches, or a record of the log may name, until they are
  /// free.
  private final RetiredExtents retired = new RetiredExtents();

  /// Extents of large values by the epoch whose checkpoint will reach them first.
  private final NavigableMap<Long, LongList> born = new TreeMap<>();

  /// Extents of nodes written since the newest checkpoint, which the next one reaches unless they
  /// are retired before.
  private final ExtentEpochs written = new ExtentEpochs();

  /// Of these, those that were retired (E3).
  private final RetiredExtents unreached = new RetiredExtents();

  /// The other extents that were made after the oldest live epoch. All that are in no such map were
  /// made before any live epoch, as far as matters here.
  private final ExtentEpochs made = new ExtentEpochs();

  /// The oldest live epoch when what was made before it was last forgotten.
  private long forgotten = -1;

  /// Where the next search begins (next fit), so that what is written together is together.
  private long cursor;

  /// One more than the last unit that is taken or was since the file last shrank. Written under the
  /// lock, read by any thread.
  private volatile long endUnit;

  /// Written under the lock, read by any thread.
  private volatile long takenUnits;

  /// No run of free units of this length exists below the end, as far as known.
  private int noRunOfUnits = Integer.MAX_VALUE;

  /// Makes accounts of a file whose units below `firstUnit` are never given out.
  public Extents(StoreLocks locks, long firstUnit) {
    this.lock = new BriefLock(locks, LockOrder.EXTENTS);
    this.firstUnit = firstUnit;
    this.cursor = firstUnit;
    this.endUnit = firstUnit;
  }

  /// Takes a run of units for an image of `bytes` bytes.
  ///
  /// @throws StoreFullException if the file is as long as it can be; nothing was taken
  /// @throws IllegalArgumentException if no image is that long
  public long allocate(int bytes) {
    if (bytes < 1 || bytes > Extent.BYTES_MAX) {
      throw new IllegalArgumentException(
          "image out of range: bytes=" + bytes + ", max=" + Extent.BYTES_MAX);
    }
    int units = Extent.unitsFor(bytes);
    lock.lock();
    try {
      long unit = findFree(units);
      if (unit + units > Extent.UNITS_MAX) {
        throw new StoreFullException(
            "the page file is as long as it can be: file=pages, fileBytes="
                + endBytes()
                + ", max="
                + Extent.UNITS_MAX * Extent.UNIT_BYTES
                + "; delete what is not needed, or spread the data over several stores");
      }
      taken.add(unit, units);
      countTaken(units);
      cursor = unit + units;
      endUnit = Math.max(endUnit, cursor);
      return Extent.of(unit, bytes);
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private void countTaken(long units) {
    assert lock.isHeldByCurrentThread();
    takenUnits += units;
  }

  /// Bytes that are taken, approximately: those that are taken concurrently may be counted or not.
  /// Takes no lock.
  public long takenBytes() {
    return takenUnits * Extent.UNIT_BYTES;
  }

  private long findFree(int units) {
    if (units < noRunOfUnits && endUnit - firstUnit - takenUnits >= units) {
      long found = findFree(units, cursor, endUnit);
      if (found < 0) {
        found = findFree(units, firstUnit, Math.min(cursor + units, endUnit));
      }
      if (found >= 0) {
        return found;
      }
      noRunOfUnits = units;
    }
    return endUnit;
  }

  private long findFree(int units, long from, long to) {
    long unit = from;
    while (unit + units <= to) {
      unit = taken.nextAbsent(unit);
      if (unit + units > to) {
        return -1;
      }
      long end = taken.nextPresent(unit, unit + units);
      if (end == unit + units) {
        return unit;
      }
      unit = end;
    }
    return -1;
  }

  /// Frees an extent that nothing ever referred to.
  public void discard(long extent) {
    lock.lock();
    try {
      free(extent);
    } finally {
      lock.unlock();
    }
  }

  private void free(long extent) {
    int units = Extent.units(extent);
    boolean wasTaken = taken.remove(Extent.unit(extent), units);
    if (!wasTaken) {
      throw new CorruptStoreException(
          "extent freed twice, so two pages name it: file=pages, "
              + Extent.describe(extent)
              + "; restore this store from a backup");
    }
    countTaken(-units);
    noRunOfUnits = Integer.MAX_VALUE;
  }

  /// Notes an extent that the checkpoint under way reaches, of a node made in `epoch`.
  public void written(long extent, long epoch) {
    lock.lock();
    try {
      written.put(extent, epoch);
    } finally {
      lock.unlock();
    }
  }

  /// Notes an extent of a large value that was put into the tree in `epoch`. If it fails for lack
  /// of memory, it may be called again (E4).
  public void born(long extent, long epoch) {
    lock.lock();
    try {
      made.put(extent, epoch);
      born.computeIfAbsent(epoch, _ -> new LongList()).add(extent);
    } finally {
      lock.unlock();
    }
  }

  /// Forgets what was born up to `epoch`, in a store that no checkpoint will reach it in.
  public void forgetBorn(long epoch, LiveEpochs liveEpochs) {
    lock.lock();
    try {
      born.headMap(epoch, true).clear();
      forgetMade(liveEpochs);
    } finally {
      lock.unlock();
    }
  }

  /// Forgets when extents were made that the oldest live epoch may show: all that it keeps apart is
  /// what was made after it.
  private void forgetMade(LiveEpochs liveEpochs) {
    long oldest = liveEpochs.oldest();
    if (oldest != forgotten && made.size() > 0) {
      made.removeUpTo(oldest);
    }
    forgotten = oldest;
  }

  /// Notes that the tree of `epoch` and later does not reach the extent any more. If it fails for
  /// lack of memory, it may be called again (E4).
  public void retire(long extent, long epoch) {
    lock.lock();
    try {
      long madeUnreached = written.get(extent);
      if (madeUnreached != ExtentEpochs.ABSENT) {
        unreached.add(extent, madeUnreached, epoch);
        written.remove(extent);
      } else {
        retired.add(extent, Math.max(0, made.get(extent)), epoch);
        made.remove(extent);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Brings the live units to those of the checkpoint of `epoch`, all of whose pages are written.
  ///
  /// @param liveEpochs among them `epoch`
  /// @return the extents that it does not reach but the one before it did
  public List<Long> advanceLive(long previousEpoch, long epoch, LiveEpochs liveEpochs) {
    lock.lock();
    try {
      forgetMade(liveEpochs);
      written.forEach((extent, madeIn) -> {
        addLive(extent);
        if (madeIn > liveEpochs.oldest()) {
          made.put(extent, madeIn);
        }
      });
      written.clear();
      unreached.forEach(epoch, Long.MAX_VALUE, this::reach);
      unreached.removeAfter(epoch);
      born.headMap(epoch, true).values().forEach(list -> list.forEach(this::addLive));
      born.headMap(epoch, true).clear();
      List<Long> dropped = new ArrayList<>();
      retired.forEach(
          previousEpoch,
          epoch,
          (_, _, extents) ->
              extents.forEach(extent -> {
                live.remove(Extent.unit(extent), Extent.units(extent));
                dropped.add(extent);
              }));
      return dropped;
    } finally {
      lock.unlock();
    }
  }

  /// Notes extents that the checkpoint reaches although they were retired concurrently.
  private void reach(long madeIn, long retiredIn, LongList extents) {
    extents.forEach(extent -> {
      addLive(extent);
      retired.add(extent, madeIn, retiredIn);
    });
  }

  private void addLive(long extent) {
    if (!live.add(Extent.unit(extent), Extent.units(extent))) {
      throw new CorruptStoreException(
          "extent written over a live one: file=pages, "
              + Extent.describe(extent)
              + "; restore this store from a backup");
    }
  }

  /// Frees what was retired up to `epoch` and no live epoch shows (E1).
  ///
  /// @param epoch a closed one
  public void release(long epoch, LiveEpochs liveEpochs) {
    lock.lock();
    try {
      retired.release(epoch, liveEpochs, this::free);
    } finally {
      lock.unlock();
    }
  }

  /// Frees what was written since the newest checkpoint, was retired up to `epoch`, and no live
  /// epoch shows (E3). Not while an image waits to be written.
  ///
  /// @param epoch a closed one
  public void releaseUnreached(long epoch, LiveEpochs liveEpochs) {
    lock.lock();
    try {
      unreached.release(epoch, liveEpochs, this::free);
    } finally {
      lock.unlock();
    }
  }

  /// Takes the units of an extent that a checkpoint or the log names, on opening.
  ///
  /// @throws CorruptStoreException if any of them is taken already
  public void reserve(long extent) {
    lock.lock();
    try {
      reserveUnits(Extent.unit(extent), Extent.units(extent));
    } finally {
      lock.unlock();
    }
  }

  private void reserveUnits(long unit, long units) {
    if (unit < firstUnit || !taken.add(unit, units)) {
      throw new CorruptStoreException(
          "extents overlap: file=pages, offset="
              + unit * Extent.UNIT_BYTES
              + ", bytes="
              + units * Extent.UNIT_BYTES
              + "; restore this store from a backup");
    }
    countTaken(units);
    endUnit = Math.max(endUnit, unit + units);
  }

  /// Takes units as live, on opening.
  public void reserveLive(long unit, long units) {
    lock.lock();
    try {
      reserveUnits(unit, units);
      live.add(unit, units);
    } finally {
      lock.unlock();
    }
  }

  /// The runs of live units in order: unit, count, unit, count and so on.
  public long[] liveRuns() {
    lock.lock();
    try {
      LongList runs = new LongList();
      long end = live.end();
      long unit = live.nextPresent(0, end);
      while (unit < end) {
        long stop = live.nextAbsent(unit);
        runs.add(unit);
        runs.add(stop - unit);
        unit = live.nextPresent(stop, end);
      }
      long[] array = new long[runs.size()];
      for (int i = 0; i < array.length; i++) {
        array[i] = runs.get(i);
      }
      return array;
    } finally {
      lock.unlock();
    }
  }

  /// Whether all units of an extent are live: for verification.
  public boolean isLive(long extent) {
    lock.lock();
    try {
      for (long unit = Extent.unit(extent), i = 0; i < Extent.units(extent); i++) {
        if (!live.contains(unit + i)) {
          return false;
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// Bytes that the newest checkpoint reaches.
  public long liveBytes() {
    lock.lock();
    try {
      return live.size() * Extent.UNIT_BYTES;
    } finally {
      lock.unlock();
    }
  }

  /// Bytes below the end of the file that are not taken.
  public long freeBytes() {
    lock.lock();
    try {
      return (endUnit - firstUnit - takenUnits) * Extent.UNIT_BYTES;
    } finally {
      lock.unlock();
    }
  }

  /// Bytes below the end of the file that are free in pieces of at least so many. Walks over all
  /// pieces.
  public long freeBytesInPieces(int bytesMin) {
    lock.lock();
    try {
      long bytes = 0;
      long unit = taken.nextAbsent(firstUnit);
      while (unit < endUnit) {
        long stop = taken.nextPresent(unit, endUnit);
        long piece = (stop - unit) * Extent.UNIT_BYTES;
        bytes += piece >= bytesMin ? piece : 0;
        unit = taken.nextAbsent(stop);
      }
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /// Bytes that were retired and wait to become free.
  public long retiredBytes() {
    lock.lock();
    try {
      return retired.bytes() + unreached.bytes();
    } finally {
      lock.unlock();
    }
  }

  /// The length that the page file needs, in bytes.
  public long endBytes() {
    return endUnit * Extent.UNIT_BYTES;
  }

  /// Notes how long the file is, on opening: what a crash left at its end is free.
  public void endFrom(long fileBytes) {
    lock.lock();
    try {
      noRunOfUnits = Integer.MAX_VALUE;
      endUnit = Math.max(endUnit, (fileBytes + Extent.UNIT_BYTES - 1) / Extent.UNIT_BYTES);
    } finally {
      lock.unlock();
    }
  }

  /// Cuts a file.
  @FunctionalInterface
  public interface Truncation {
    void truncate(long bytes) throws IOException;
  }

  /// Cuts the file after its last taken unit, if that returns much or `always`. Nothing is taken
  /// during that, since what is written past the cut would be lost.
  ///
  /// @return the bytes returned
  public long shrink(Truncation truncation, boolean always) throws IOException {
    lock.lock();
    try {
      long end = Math.max(firstUnit, taken.end());
      long units = endUnit - end;
      if (units * Extent.UNIT_BYTES < SHRINK_BYTES_MIN && !always) {
        return 0;
      }
      endUnit = end;
      cursor = firstUnit;
      truncation.truncate(end * Extent.UNIT_BYTES);
      return units * Extent.UNIT_BYTES;
    } finally {
      lock.unlock();
    }
  }

  /// Frees units past the end of the file that were taken once and never written. What is free
  /// within the file stays in it: on a disk that fills up, the log or others would take it.
  public void endAt(long fileBytes) {
    lock.lock();
    try {
      long fileUnits = (fileBytes + Extent.UNIT_BYTES - 1) / Extent.UNIT_BYTES;
      long end = Math.max(Math.max(firstUnit, taken.end()), fileUnits);
      if (end < endUnit) {
        endUnit = end;
        cursor = firstUnit;
      }
    } finally {
      lock.unlock();
    }
  }

  /// Begins the search for free units at the start of the file, so that what is written moves down.
  public void searchFromStart() {
    lock.lock();
    try {
      cursor = firstUnit;
    } finally {
      lock.unlock();
    }
  }
}
