package io.varve.internal.checkpoint;

import io.varve.StoreClosedException;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.internal.cache.Pages;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.MeteredDisk;
import io.varve.internal.event.CheckpointEvent;
import io.varve.internal.event.Events;
import io.varve.internal.file.Catalog;
import io.varve.internal.file.Catalog.SpaceRoot;
import io.varve.internal.file.LiveEpochs;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.Superblock;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.OrderedLock;
import io.varve.internal.tree.Epochs;
import io.varve.internal.txn.Snapshots;
import io.varve.internal.txn.Snapshots.ClosedEpoch;
import io.varve.internal.txn.SpaceCore;
import io.varve.internal.txn.SpaceRegistry;
import io.varve.internal.txn.ValuesUnderWay;
import io.varve.internal.wal.CheckpointLog;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogPosition;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Writes checkpoints: closes the epoch, writes the pages that changed since the last checkpoint,
/// then the catalog. It forces, writes the superblock, forces again, and releases log and extents
/// that neither superblock needs. Commits continue except at the instant at which the epoch closes.
///
/// One checkpoint at a time, under the checkpoint lock. What writes pages and closes their accounts
/// does so under the page lock, which is taken after it: a spill needs that alone, so that memory
/// finds relief while a checkpoint is forced.
public final class Checkpointer {
  private final Pages pages;
  private final PageFile file;
  private final Epochs epochs;
  private final Snapshots snapshots;
  private final SpaceRegistry spaces;
  private final Clock clock;
  private final CheckpointPacer pacer;

  /// The log that checkpoints cut.
  private final CheckpointLog log;

  /// Null if the log is not archived.
  private final @Nullable ValuesUnderWay valuesUnderWay;

  /// The bytes taken, as a multiple of those that the newest checkpoint reaches, from which on a
  /// checkpoint is written in place of a spill: what it reaches and commits replaced stays taken
  /// until the second checkpoint after that, and the file is to stay within twice its live bytes.
  private static final double SPILL_SPREAD_MAX = 1.5;

  /// The same bound while a checkpoint is forced, which is about to free some of that.
  private static final double SPILL_SPREAD_MAX_WHILE_FORCED = 1.75;

  /// What may be taken in addition in any case: a small store would be forced again and again to
  /// spare less than the log takes.
  private static final long SPILL_SPREAD_BYTES_MIN = 8L << 20;

  /// More is not written on the thread of a commit: that takes some milliseconds.
  private static final long SPILL_BY_COMMIT_BYTES_MAX = 8L << 20;

  private final CheckpointWriter writer;
  private final CheckpointTrees trees;
  private final MeteredDisk disk;
  private final BallastFile ballast;
  private final OrderedLock lock;
  private final OrderedLock pageLock;

  /// The epoch up to which no superblock needs what was retired. Guarded by the lock.
  private long releasableEpoch = -1;

  /// Guarded by the lock.
  private final Superblocks superblocks;

  /// Whether the last checkpoint of all was begun, after which there is no log. Written under the
  /// lock.
  private volatile boolean closed;

  /// Whether all pages of a checkpoint are written, and it is being made durable. Written under the
  /// lock.
  private volatile boolean isForced;

  /// The place from which the log holds the values that were under way when the newest checkpoint
  /// cut it; -1 if the log is not kept. Guarded by the lock.
  private long valuesUnderWaySince = -1;

  private volatile long count;
  private volatile long spillCount;

  /// What the newest checkpoint holds. Guarded by the lock.
  private CheckpointStart newestStart = new CheckpointStart();

  /// Written under the page lock.
  private volatile long roundCount;

  private volatile long bytes;
  private volatile long lastNanos;
  private volatile long totalNanos;

  /// Makes what checkpoints a store, from its replay on: it keeps what a full disk holds back then.
  public Checkpointer(Pages pages, Source source, CheckpointPacer pacer, Base base) {
    this.pages = pages;
    this.file = pages.file();
    this.snapshots = source.snapshots;
    this.epochs = source.snapshots.epochs();
    this.spaces = source.spaces;
    this.log = source.log;
    this.valuesUnderWay = source.valuesUnderWay;
    this.clock = base.clock;
    this.pacer = pacer;
    this.writer = new CheckpointWriter(pages, file, pacer);
    this.trees = new CheckpointTrees(pages.cache(), writer);
    this.disk = base.disk;
    this.ballast = base.ballast;
    this.superblocks = base.superblocks;
    this.lock = new OrderedLock(file.locks(), LockOrder.CHECKPOINT);
    this.pageLock = new OrderedLock(file.locks(), LockOrder.PAGE_WRITES);
  }

  /// What checkpoints capture.
  ///
  /// @param snapshots closes the epoch
  /// @param spaces whose trees are written
  /// @param log that checkpoints cut
  /// @param valuesUnderWay null if the log is not archived
  public record Source(
      Snapshots snapshots,
      SpaceRegistry spaces,
      CheckpointLog log,
      @Nullable ValuesUnderWay valuesUnderWay) {}

  /// What checkpoints use.
  ///
  /// @param superblocks of the checkpoints before
  /// @param disk of the store's files
  /// @param ballast what a full disk has for them
  public record Base(Superblocks superblocks, MeteredDisk disk, BallastFile ballast, Clock clock) {}

  /// Names the newest checkpoint as that of the epoch before the current one, in which nothing
  /// changed. Call it before anything of the current epoch is written.
  public void raiseEpoch() {
    long before = superblocks.newest().epoch();
    reporting(() -> {
      superblocks.raiseEpoch(epochs.current() - 1);
      return before;
    });
    releasableEpoch = before;
  }

  /// Writes a checkpoint on the one thread of a recovery. No epoch before it is needed any more.
  public void checkpointOfReplay() {
    lock.lock();
    try {
      writeReleasingBallast(Scope.OF_REPLAY);
    } finally {
      lock.unlock();
    }
  }

  /// Spills, however little capacity the disk has, on the one thread of a recovery.
  public void spillAlways() {
    pageLock.lock();
    try {
      writeSpill();
    } finally {
      pageLock.unlock();
    }
  }

  /// The lock that keeps checkpoints out.
  public ReentrantLock lock() {
    return lock;
  }

  /// Writes a checkpoint.
  ///
  /// @throws StoreFullException if the page file cannot grow; the checkpoint before stays in force
  /// @throws StoreFailedException if a write or force failed; the store refuses commits from now on
  /// @throws StoreClosedException if the store was closed concurrently
  public void checkpoint() {
    lock.lock();
    try {
      writeReleasingBallast(Scope.CHECKPOINT);
      ballast.growFor(file.extents().liveBytes());
    } finally {
      lock.unlock();
    }
  }

  /// Writes the leaves that are dirty, so that they may leave memory, but makes nothing durable and
  /// releases no log: much less work than a checkpoint for data larger than memory. If too much was
  /// written so since the last checkpoint, or the disk may be too small for it, writes one instead.
  void spill() {
    pages.largeValues().trySettle();
    pageLock.lock();
    try {
      if (maySpill()) {
        writeSpill();
        return;
      }
    } finally {
      pageLock.unlock();
    }
    checkpoint();
  }

  /// Spills on the thread of a commit that would have to wait for it. It does not if another thread
  /// spills, if it would take long, or if a checkpoint is needed.
  ///
  /// @return whether it did
  public boolean trySpill() {
    if (closed
        || pages.cache().dirtyBytes() > SPILL_BY_COMMIT_BYTES_MAX
        || !pacer.mayHurry()
        || !pageLock.tryLock()) {
      return false;
    }
    try {
      if (closed || log.failure() != null || !maySpill()) {
        return false;
      }
      writeSpill();
      return true;
    } catch (StoreFullException e) {
      return false; // the thread that has the duty to write meets it as well, and reports it
    } finally {
      pageLock.unlock();
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the page lock
  private void writeSpill() {
    requireNotClosed();
    reporting(() -> {
      CheckpointEvent event = Events.checkpoint();
      long before = writer.bytesWritten();
      CheckpointStart start = new CheckpointStart();
      ClosedEpoch closed = closeEpoch(start, false);
      writePages(closed, false, () -> trees.spill(start, closed.epoch()));
      release(closed.epoch());
      releaseUnreached(closed);
      tell(event, "SPILL", closed, writer.bytesWritten() - before);
      return closed;
    });
    spillCount++;
  }

  private void tell(
      @Nullable CheckpointEvent event, String kind, ClosedEpoch closed, long written) {
    if (event != null) {
      event.written(file.where(), kind, closed.lsn(), written);
    }
  }

  /// Frees what nothing leads to any more (E3). Under the page lock, when all images are written.
  private void releaseUnreached(ClosedEpoch closed) {
    // Of the current epoch nothing, since a snapshot that is just being taken may hold the last.
    file.extents().releaseUnreached(closed.epoch(), epochs.live());
  }

  /// Whether the file may grow by what a spill would write.
  public boolean maySpill() {
    long dirtyBytes = pages.cache().unwrittenBytes();
    long takenBytes = file.extents().takenBytes() + dirtyBytes;
    double spread = isForced ? SPILL_SPREAD_MAX_WHILE_FORCED : SPILL_SPREAD_MAX;
    long liveBytes = file.extents().liveBytes();
    long spreadBytes = Math.max((long) (liveBytes * (spread - 1)), SPILL_SPREAD_BYTES_MIN);
    return takenBytes <= liveBytes + spreadBytes && pacer.hasCapacityFor(dirtyBytes);
  }

  /// Writes a checkpoint and keeps its epoch held.
  ///
  /// @return the epoch; to be released
  public long checkpointAndHold() {
    lock.lock();
    try {
      return writeReleasingBallast(Scope.HELD_CHECKPOINT).epoch();
    } finally {
      lock.unlock();
    }
  }

  /// Writes a checkpoint and keeps its epoch held, for a backup.
  ///
  /// @return the checkpoint; its epoch is to be released
  public HeldCheckpoint checkpointForBackup() {
    lock.lock();
    try {
      ClosedEpoch closed = writeReleasingBallast(Scope.HELD_CHECKPOINT);
      Superblock newest = superblocks.newest();
      return new HeldCheckpoint(newest, closed.lsn(), Math.min(newest.cut(), valuesUnderWaySince));
    } finally {
      lock.unlock();
    }
  }

  /// Writes the checkpoint of a clean close into both superblock slots, so that the log can go. The
  /// last one, whether it succeeds or not.
  public void checkpointAtClose() {
    lock.lock();
    try {
      closed = true;
      release(writeReleasingBallast(Scope.FINAL).epoch());
    } finally {
      lock.unlock();
    }
  }

  /// Cuts the page file after its last extent, however little that returns.
  ///
  /// @return the length of the file, in bytes
  long shrink() {
    lock.lock();
    try {
      requireNotClosed();
      file.extents().shrink(file::truncate, true);
      return file.extents().endBytes();
    } catch (IOException e) {
      throw new StoreIoException("cannot cut the page file: file=" + file.where(), e);
    } finally {
      lock.unlock();
    }
  }

  private void requireNotClosed() {
    if (closed) {
      throw new StoreClosedException("the store was closed; open it again to continue");
    }
  }

  /// Releases the epoch of a checkpoint.
  public void release(long epoch) {
    snapshots.release(epoch);
    spaces.all().forEach(SpaceCore::pruneRoots);
  }

  /// Writes a checkpoint; on a full disk, with the capacity of the reserve, and of what a snapshot
  /// held that is closed by now.
  private ClosedEpoch writeReleasingBallast(Scope scope) {
    releaseExtents();
    try {
      return write(scope);
    } catch (StoreFullException e) {
      // The log would take it first, for segments that no commit waits for.
      try (var _ = disk.withhold(LogFiles.DIRECTORY, ballast.bytes())) {
        if (ballast.release()) {
          return write(scope);
        }
        throw e;
      }
    }
  }

  private enum Scope {
    CHECKPOINT,

    /// The epoch stays held.
    HELD_CHECKPOINT,

    /// Both superblocks are written: of a recovery, whose file would hold the pages of three states
    /// otherwise.
    OF_REPLAY,

    /// The epoch stays held, and both superblocks are written, since the log after is empty.
    FINAL;

    boolean holdsEpoch() {
      return this == HELD_CHECKPOINT || this == FINAL;
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private ClosedEpoch write(Scope scope) {
    if (scope != Scope.FINAL) {
      requireNotClosed();
    }
    long started = clock.nanoTime();
    ClosedEpoch closed = reporting(() -> writeAndForce(scope));
    count++;
    lastNanos = clock.nanoTime() - started;
    totalNanos += lastNanos;
    return closed;
  }

  private ClosedEpoch writeAndForce(Scope scope) throws IOException {
    CheckpointEvent event = Events.checkpoint();
    CheckpointStart start = new CheckpointStart();
    var catalog = new AtomicReference<Catalog.Location>();
    ClosedEpoch closed;
    long written;
    pageLock.lock();
    try {
      long before = writer.bytesWritten();
      closed = closeEpoch(start, true);
      writePages(closed, true, () -> catalog.set(writeTreesAndCatalog(start, closed.epoch())));
      if (!scope.holdsEpoch()) {
        release(closed.epoch());
      }
      releaseUnreached(closed);
      written = writer.bytesWritten() - before;
      isForced = true;
    } finally {
      pageLock.unlock();
    }
    boolean done = false;
    try {
      makeDurable(closed.epoch(), start.position(), catalog.get(), scope);
      newestStart = start;
      done = true;
      tell(event, scope == Scope.FINAL ? "FINAL" : "CHECKPOINT", closed, written);
      return closed;
    } finally {
      isForced = false;
      if (!done && scope.holdsEpoch()) {
        release(closed.epoch());
      }
    }
  }

  /// Closes the epoch and holds it. Under the page lock.
  private ClosedEpoch closeEpoch(CheckpointStart start, boolean forCheckpoint) {
    requireSound();
    return snapshots.closeEpoch(() -> {
      start.capture(log, spaces);
      if (forCheckpoint) {
        valuesUnderWaySince = valuesUnderWay == null ? -1 : valuesUnderWay.oldest();
      }
      pages.beginCheckpoint(epochs.current() - 1);
    });
  }

  /// Lets `write` write pages of a closed epoch, which it releases if that fails. Under the page
  /// lock.
  @SuppressWarnings("NonAtomicVolatileUpdate") // under the page lock
  private void writePages(ClosedEpoch closed, boolean forced, IoAction write) throws IOException {
    boolean done = false;
    try {
      pacer.begin(forced);
      if (pacer.isTight()) {
        // What found no capacity past the end is to try the free extents before it.
        file.extents().endAt(file.size());
      }
      writer.flush(); // what a full disk kept back
      write.run();
      roundCount++;
      bytes = writer.bytesWritten();
      done = true;
    } finally {
      pages.endCheckpoint();
      if (!done) {
        release(closed.epoch());
      }
    }
  }

  @FunctionalInterface
  private interface IoAction {
    void run() throws IOException;
  }

  /// Makes a call, and throws its failure as what that means for the store.
  private <T> T reporting(IoCall<T> call) {
    try {
      return call.get();
    } catch (DiskFullException e) {
      throw new StoreFullException(
          "no capacity for a checkpoint: file="
              + file.where()
              + "; the one before stays in force; free capacity",
          e);
    } catch (IOException e) {
      log.fail(e);
      throw new StoreFailedException(
          "checkpoint failed: file=" + file.where() + "; close and reopen the store", e);
    } catch (StoreFullException
        | StoreFailedException
        | StoreIoException
        | StoreClosedException e) {
      throw e; // it was refused, it failed before, or in a read: nothing changed
    } catch (RuntimeException | Error e) {
      log.fail(e); // the accounts of space may be wrong: nothing more may be written by them
      throw e;
    }
  }

  @FunctionalInterface
  private interface IoCall<T> {
    T get() throws IOException;
  }

  private void requireSound() {
    Throwable failure = log.failure();
    if (failure != null) {
      throw new StoreFailedException(
          "the store has failed: cause=" + failure + "; close and reopen it", failure);
    }
  }

  private Catalog.Location writeTreesAndCatalog(CheckpointStart start, long epoch)
      throws IOException {
    List<SpaceRoot> roots = trees.write(start, epoch);
    pages.largeValues().settle();
    List<Long> dropped =
        file.extents().advanceLive(superblocks.newest().epoch(), epoch, epochs.live());
    Catalog catalog =
        new Catalog(
            start.nextSpaceId(),
            roots,
            file.extents().liveRuns(),
            dropped,
            superblocks.newest().catalogExtent());
    return catalog.write(file, epoch);
  }

  /// Makes what was written the newest checkpoint.
  private void makeDurable(long epoch, LogPosition cut, Catalog.Location catalog, Scope scope)
      throws IOException {
    Superblock previous = superblocks.newest();
    boolean atClose = scope == Scope.FINAL;
    LogPosition position = atClose ? cut.atCleanClose() : cut;
    file.force();
    // What the superblock counts as past must not depend on a log that a power cut could undo.
    log.force();
    superblocks.writeNext(epoch, position, catalog);
    file.extents().retire(previous.catalogExtent(), epoch);
    if (atClose || scope == Scope.OF_REPLAY) {
      superblocks.writeNext(epoch, position, catalog);
      releasableEpoch = epoch;
      file.extents().release(epoch, LiveEpochs.NONE);
      file.extents().releaseUnreached(epoch, LiveEpochs.NONE);
      file.extents().shrink(file::truncate, atClose);
      return;
    }
    log.releaseBefore(previous.cut());
    releasableEpoch = previous.epoch();
    releaseExtents();
    file.extents().shrink(file::truncate, false);
  }

  /// Frees what neither superblock nor a snapshot needs any more (E1).
  private void releaseExtents() {
    file.extents().release(releasableEpoch, epochs.live());
  }

  /// The epochs that snapshots, backups and compactions hold: another object when they change.
  LiveEpochs liveEpochs() {
    return epochs.live();
  }

  /// The spaces of the newest checkpoint. For the holder of the lock.
  public List<SpaceCore> newestSpaces() {
    return newestStart.spaces();
  }

  /// The spaces of the newest checkpoint that were dropped, and are not removed yet. For the holder
  /// of the lock.
  public List<SpaceCore> newestDropped() {
    return newestStart.dropped();
  }

  /// Checkpoints written.
  public long count() {
    return count;
  }

  /// Spills written.
  public long spillCount() {
    return spillCount;
  }

  /// How often all dirty leaves were written, by checkpoints and spills, one at a time.
  public long roundCount() {
    return roundCount;
  }

  /// Bytes of pages written.
  public long bytes() {
    return bytes;
  }

  /// The time that all checkpoints took.
  public long totalNanos() {
    return totalNanos;
  }

  /// The time that the last checkpoint took.
  public long lastNanos() {
    return lastNanos;
  }
}
