package io.varve.internal.store;

import io.varve.StoreClosedException;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.internal.backup.HeldCheckpoint;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.page.Catalog;
import io.varve.internal.page.Catalog.SpaceRoot;
import io.varve.internal.page.CheckpointWriter;
import io.varve.internal.page.Node;
import io.varve.internal.page.PageFile;
import io.varve.internal.page.Pages;
import io.varve.internal.page.Superblock;
import io.varve.internal.tree.Epochs;
import io.varve.internal.txn.LiveSpace;
import io.varve.internal.txn.LogNotes;
import io.varve.internal.txn.Snapshots;
import io.varve.internal.txn.Snapshots.Cut;
import io.varve.internal.txn.Spaces;
import io.varve.internal.wal.Log;
import io.varve.internal.wal.LogPosition;
import io.varve.internal.wal.StoreId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Writes checkpoints: closes the epoch, writes the pages that changed since the last, then the
/// catalog, forces, writes the superblock, forces, and lets go of log and extents that neither
/// superblock needs. Commits go on but for the instant in which the epoch closes.
///
/// One checkpoint at a time, under the checkpoint lock.
final class Checkpointer {
  private final Pages pages;
  private final PageFile file;
  private final Epochs epochs;
  private final Snapshots snapshots;
  private final Spaces spaces;
  private final Log log;
  private final Clock clock;
  private final CheckpointPacer pacer;

  /// What is noted in the log, or null if it is not kept.
  private final @Nullable LogNotes notes;

  /// The bytes taken, as a multiple of those that the newest checkpoint reaches, from which on a
  /// checkpoint is written in place of a spill: what it reaches and commits replaced stays taken
  /// until the second checkpoint behind, and the file is to stay within twice its live bytes.
  private static final double SPILL_SPREAD_MAX = 1.5;

  private final CheckpointWriter writer;
  private final Reserve reserve;
  private final ReentrantLock lock = new ReentrantLock();

  /// The epoch up to which no superblock needs what was retired. Guarded by the lock.
  private long releasableEpoch = -1;

  /// The newest checkpoint that is durable. Guarded by the lock.
  private Superblock newest;

  /// Whether the last checkpoint of all was begun, behind which there is no log. Guarded by the
  /// lock.
  private boolean closed;

  /// The place from which the log holds the values that were under way when the newest checkpoint
  /// cut it; -1 if the log is not kept. Guarded by the lock.
  private long valuesUnderWaySince = -1;

  private volatile long count;
  private volatile long spillCount;
  private volatile long bytes;
  private volatile long lastNanos;

  Checkpointer(
      Pages pages,
      Epochs epochs,
      Snapshots snapshots,
      Spaces spaces,
      Log log,
      Clock clock,
      CheckpointPacer pacer,
      Reserve reserve,
      @Nullable LogNotes notes,
      Superblock newest) {
    this.pages = pages;
    this.file = pages.file();
    this.epochs = epochs;
    this.snapshots = snapshots;
    this.spaces = spaces;
    this.log = log;
    this.clock = clock;
    this.pacer = pacer;
    this.notes = notes;
    this.writer = new CheckpointWriter(pages, file, pacer);
    this.reserve = reserve;
    this.newest = newest;
  }

  /// Writes the first checkpoint of a new store, which holds nothing, into both superblock slots.
  static void writeFirst(PageFile file, StoreId id, int pageBytes, LogPosition position)
      throws IOException {
    Catalog empty = new Catalog(1, List.of(), new long[0], List.of(), 0);
    Catalog.Location catalog = empty.write(file, 1);
    file.force();
    for (int sequence = 1; sequence <= 2; sequence++) {
      superblock(id.high(), id.low(), sequence, 1, catalog, pageBytes, position).write(file);
    }
    file.force();
  }

  private static Superblock superblock(
      long idHigh,
      long idLow,
      long sequence,
      long epoch,
      Catalog.Location catalog,
      int pageBytes,
      LogPosition position) {
    return new Superblock(
        idHigh,
        idLow,
        sequence,
        epoch,
        position.lsn(),
        catalog.extent(),
        catalog.checksum(),
        pageBytes,
        position.generation(),
        position.mayEnd());
  }

  /// The lock that keeps checkpoints out.
  ReentrantLock lock() {
    return lock;
  }

  /// What commits are shut out for.
  private static final class Moment {
    private @Nullable LogPosition position;
    private List<LiveSpace> spaces = List.of();
    private int nextSpaceId;

    LogPosition position() {
      LogPosition taken = position;
      if (taken == null) {
        throw new IllegalStateException("no position was taken");
      }
      return taken;
    }
  }

  /// Writes a checkpoint.
  ///
  /// @throws StoreFullException if the page file cannot grow; the checkpoint before stays in force
  /// @throws StoreFailedException if a write or force failed; the store refuses commits from now on
  /// @throws StoreClosedException if the store was closed meanwhile
  void checkpoint() {
    lock.lock();
    try {
      finish(writeInRoom(Scope.CHECKPOINT));
    } finally {
      lock.unlock();
    }
  }

  /// Writes what is dirty, so that it may leave memory, but makes nothing durable and lets go of no
  /// log: much less work than a checkpoint for data larger than memory. If too much was written so
  /// since the last checkpoint, or the disk may be too small for it, writes a checkpoint.
  void spill() {
    lock.lock();
    try {
      finish(maySpill() ? write(Scope.SPILL) : writeInRoom(Scope.CHECKPOINT));
    } finally {
      lock.unlock();
    }
  }

  /// Lets go of what was written whole, and of what nothing leads to any more.
  private void finish(Cut cut) {
    letGo(cut.epoch());
    // Of the current epoch nothing, since a snapshot that is just being taken may hold the last.
    file.extents().releaseUnreached(Math.min(cut.epoch(), epochs.oldestLive()));
  }

  private boolean maySpill() {
    long dirtyBytes = pages.cache().dirtyBytes();
    long takenBytes = file.extents().takenBytes() + dirtyBytes;
    return takenBytes <= file.extents().liveBytes() * SPILL_SPREAD_MAX
        && pacer.hasRoomFor(dirtyBytes);
  }

  /// Writes a checkpoint and keeps its epoch held.
  ///
  /// @return the epoch; to be let go of
  long checkpointAndHold() {
    lock.lock();
    try {
      return writeInRoom(Scope.CHECKPOINT).epoch();
    } finally {
      lock.unlock();
    }
  }

  /// Writes a checkpoint and keeps its epoch held, for a backup.
  ///
  /// @return the checkpoint; its epoch is to be let go of
  HeldCheckpoint checkpointForBackup() {
    lock.lock();
    try {
      Cut cut = writeInRoom(Scope.CHECKPOINT);
      return new HeldCheckpoint(newest, cut.lsn(), Math.min(newest.cut(), valuesUnderWaySince));
    } finally {
      lock.unlock();
    }
  }

  /// Writes the checkpoint of a clean close into both superblock slots, so that the log can go. The
  /// last one, whether it succeeds or not.
  void checkpointAtClose() {
    lock.lock();
    try {
      closed = true;
      letGo(writeInRoom(Scope.LAST).epoch());
    } finally {
      lock.unlock();
    }
  }

  /// Cuts the page file behind its last extent, however little that gives back.
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
      throw new StoreClosedException("the store was closed; open it again to go on");
    }
  }

  /// Lets go of the epoch of a checkpoint.
  void letGo(long epoch) {
    snapshots.letGo(epoch);
    spaces.all().forEach(LiveSpace::pruneRoots);
  }

  /// Writes a checkpoint; on a full disk, with the room of the reserve, and of what a snapshot held
  /// that is closed by now.
  private Cut writeInRoom(Scope scope) {
    releaseExtents();
    try {
      return write(scope);
    } catch (StoreFullException e) {
      if (!reserve.giveUp()) {
        throw e;
      }
      return write(scope);
    }
  }

  /// How far a write of what is dirty goes.
  private enum Scope {
    /// Pages alone.
    SPILL,

    /// Up to the superblock.
    CHECKPOINT,

    /// Up to both superblocks, since the log behind is empty.
    LAST
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private Cut write(Scope scope) {
    if (scope != Scope.LAST) {
      requireNotClosed();
    }
    requireSound();
    long started = clock.nanoTime();
    Moment moment = new Moment();
    Cut cut =
        snapshots.closeEpoch(() -> {
          moment.position = log.position();
          moment.spaces = spaces.all();
          moment.nextSpaceId = spaces.nextId();
          if (scope != Scope.SPILL) {
            valuesUnderWaySince = notes == null ? -1 : notes.oldestUnderWay();
          }
          pages.beginCheckpoint(epochs.current() - 1);
        });
    boolean done = false;
    try {
      pacer.begin(scope != Scope.SPILL);
      if (pacer.isTight()) {
        // What found no room behind the end is to try the free space before it.
        file.extents().endAt(file.size());
      }
      writer.flush(); // what a full disk kept back
      List<SpaceRoot> roots = writeTrees(moment.spaces, cut.epoch());
      if (scope == Scope.SPILL) {
        spillCount++;
      } else {
        boolean last = scope == Scope.LAST;
        LogPosition position = last ? moment.position().atCleanClose() : moment.position();
        writeSuperblock(cut.epoch(), position, roots, moment.nextSpaceId, last);
        count++;
        lastNanos = clock.nanoTime() - started;
      }
      bytes = writer.bytesWritten();
      done = true;
      return cut;
    } catch (DiskFullException e) {
      throw new StoreFullException(
          "no room for a checkpoint: file="
              + file.where()
              + "; the one before stays in force; make room",
          e);
    } catch (IOException e) {
      log.fail(e);
      throw new StoreFailedException(
          "checkpoint failed: file=" + file.where() + "; close and reopen the store", e);
    } catch (StoreIoException | StoreClosedException e) {
      throw e; // of a read, which changed nothing
    } catch (RuntimeException | Error e) {
      log.fail(e); // the accounts of space may be wrong: nothing more may be written by them
      throw e;
    } finally {
      pages.endCheckpoint();
      if (!done) {
        letGo(cut.epoch());
      }
    }
  }

  private void requireSound() {
    Throwable failure = log.failure();
    if (failure != null) {
      throw new StoreFailedException(
          "the store has failed: cause=" + failure + "; close and reopen it", failure);
    }
  }

  private List<SpaceRoot> writeTrees(List<LiveSpace> present, long epoch) throws IOException {
    List<SpaceRoot> roots = new ArrayList<>();
    List<Node> nodes = new ArrayList<>();
    for (LiveSpace space : present) {
      Node root = space.tree().rootAt(epoch);
      if (root == null) {
        throw new IllegalStateException("no root of the closed epoch: space=" + space.name());
      }
      writer.write(root, space.id());
      nodes.add(root);
    }
    writer.flush();
    for (int i = 0; i < nodes.size(); i++) {
      Node root = nodes.get(i);
      roots.add(
          new SpaceRoot(
              present.get(i).id(),
              present.get(i).name(),
              root.level(),
              root.extent(),
              root.checksum(),
              root.entryCount()));
    }
    return roots;
  }

  private void writeSuperblock(
      long epoch, LogPosition position, List<SpaceRoot> roots, int nextSpaceId, boolean atClose)
      throws IOException {
    Superblock previous = newest;
    pages.largeValues().settle();
    List<Long> dropped = file.extents().advanceLive(previous.epoch(), epoch);
    Catalog catalog =
        new Catalog(
            nextSpaceId, roots, file.extents().liveRuns(), dropped, previous.catalogExtent());
    Catalog.Location location = catalog.write(file, epoch);
    file.force();
    // What the superblock says is behind us must not depend on a log that a power cut could undo.
    log.force();
    Superblock next =
        superblock(
            previous.idHigh(),
            previous.idLow(),
            previous.sequence() + 1,
            epoch,
            location,
            previous.pageBytes(),
            position);
    next.write(file);
    newest = next;
    file.extents().retire(previous.catalogExtent(), epoch);
    if (atClose) {
      newest =
          superblock(
              next.idHigh(),
              next.idLow(),
              next.sequence() + 1,
              epoch,
              location,
              next.pageBytes(),
              position);
      newest.write(file);
      file.extents().release(epoch);
      file.extents().releaseUnreached(epoch);
      file.extents().shrink(file::truncate, true);
      return;
    }
    log.releaseBefore(previous.cut());
    releasableEpoch = previous.epoch();
    releaseExtents();
    file.extents().shrink(file::truncate, false);
  }

  /// Frees what neither superblock nor a snapshot needs any more (E1).
  private void releaseExtents() {
    file.extents().release(Math.min(releasableEpoch, epochs.oldestLive()));
  }

  /// Checkpoints written.
  long count() {
    return count;
  }

  /// Checkpoints and spills written.
  long roundCount() {
    return count + spillCount;
  }

  /// Bytes of pages written.
  long bytes() {
    return bytes;
  }

  /// The time that the last checkpoint took.
  long lastNanos() {
    return lastNanos;
  }
}
