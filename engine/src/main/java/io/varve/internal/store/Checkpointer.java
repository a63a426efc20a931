package io.varve.internal.store;

import io.varve.StoreClosedException;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.StoreIoException;
import io.varve.internal.backup.HeldCheckpoint;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.event.CheckpointEvent;
import io.varve.internal.page.Catalog;
import io.varve.internal.page.Catalog.SpaceRoot;
import io.varve.internal.page.CheckpointWriter;
import io.varve.internal.page.Node;
import io.varve.internal.page.PageCache;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Writes checkpoints: closes the epoch, writes the pages that changed since the last, then the
/// catalog, forces, writes the superblock, forces, and lets go of log and extents that neither
/// superblock needs. Commits go on but for the instant in which the epoch closes.
///
/// One checkpoint at a time, under the checkpoint lock. What writes pages and closes their accounts
/// does so under the page lock, which is taken after it: a spill needs that alone, so that memory
/// finds relief while a checkpoint is forced.
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

  /// The same bound while a checkpoint is forced, which is about to free some of that.
  private static final double SPILL_SPREAD_MAX_WHILE_FORCED = 1.75;

  /// What may be taken besides in any case: a small store would be forced again and again to spare
  /// less than the log takes.
  private static final long SPILL_SPREAD_BYTES_MIN = 8L << 20;

  /// More is not written on the thread of a commit: that takes some milliseconds.
  private static final long SPILL_BY_COMMIT_BYTES_MAX = 8L << 20;

  /// The share of the memory for pages that inner pages may take which wait to be written.
  private static final double DIRTY_INNER_SHARE_MAX = 0.7;

  private final CheckpointWriter writer;
  private final Reserve reserve;
  private final ReentrantLock lock = new ReentrantLock();
  private final ReentrantLock pageLock = new ReentrantLock();

  /// The epoch up to which no superblock needs what was retired. Guarded by the lock.
  private long releasableEpoch = -1;

  /// The newest checkpoint that is durable. Guarded by the lock.
  private Superblock newest;

  /// Whether the last checkpoint of all was begun, behind which there is no log. Written under the
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

  /// Written under the page lock.
  private volatile long roundCount;

  private volatile long bytes;
  private volatile long lastNanos;
  private volatile long totalNanos;

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

  /// Does something while neither a checkpoint nor a spill is under way.
  long whileNothingIsWritten(LongSupplier work) {
    lock.lock();
    try {
      pageLock.lock();
      try {
        return work.getAsLong();
      } finally {
        pageLock.unlock();
      }
    } finally {
      lock.unlock();
    }
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
      writeInRoom(Scope.CHECKPOINT);
    } finally {
      lock.unlock();
    }
  }

  /// Writes the leaves that are dirty, so that they may leave memory, but makes nothing durable and
  /// lets go of no log: much less work than a checkpoint for data larger than memory. If too much
  /// was written so since the last checkpoint, or the disk may be too small for it, writes a
  /// checkpoint.
  void spill() {
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

  /// Spills on the thread of a commit that would have to wait for it, unless another thread does
  /// so, or it would take long, or a checkpoint is needed.
  ///
  /// @return whether it did
  boolean trySpill() {
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
      return false; // who has the duty to write meets it as well, and says so
    } finally {
      pageLock.unlock();
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the page lock
  private void writeSpill() {
    requireNotClosed();
    reporting(() -> {
      CheckpointEvent event = CheckpointEvent.start();
      long before = writer.bytesWritten();
      Moment moment = new Moment();
      Cut cut = closeEpoch(moment, false);
      writePages(cut, false, () -> spillTrees(moment.spaces, cut.epoch()));
      finish(cut);
      tell(event, "SPILL", cut, writer.bytesWritten() - before);
      return cut;
    });
    spillCount++;
  }

  private void tell(@Nullable CheckpointEvent event, String kind, Cut cut, long written) {
    if (event != null) {
      event.written(file.where(), kind, cut.lsn(), written);
    }
  }

  /// Lets go of what was written whole, and of what nothing leads to any more. Under the page lock.
  private void finish(Cut cut) {
    letGo(cut.epoch());
    // Of the current epoch nothing, since a snapshot that is just being taken may hold the last.
    file.extents().releaseUnreached(Math.min(cut.epoch(), epochs.oldestLive()));
  }

  private boolean maySpill() {
    long dirtyBytes = pages.cache().unwrittenBytes();
    long takenBytes = file.extents().takenBytes() + dirtyBytes;
    double spread = isForced ? SPILL_SPREAD_MAX_WHILE_FORCED : SPILL_SPREAD_MAX;
    long liveBytes = file.extents().liveBytes();
    long spreadBytes = Math.max((long) (liveBytes * (spread - 1)), SPILL_SPREAD_BYTES_MIN);
    return takenBytes <= liveBytes + spreadBytes && pacer.hasRoomFor(dirtyBytes);
  }

  /// Writes a checkpoint and keeps its epoch held.
  ///
  /// @return the epoch; to be let go of
  long checkpointAndHold() {
    lock.lock();
    try {
      return writeInRoom(Scope.HELD_CHECKPOINT).epoch();
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
      Cut cut = writeInRoom(Scope.HELD_CHECKPOINT);
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

  private enum Scope {
    CHECKPOINT,

    /// The epoch stays held.
    HELD_CHECKPOINT,

    /// The epoch stays held, and both superblocks are written, since the log behind is empty.
    LAST
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private Cut write(Scope scope) {
    if (scope != Scope.LAST) {
      requireNotClosed();
    }
    long started = clock.nanoTime();
    Cut cut = reporting(() -> writeAndForce(scope));
    count++;
    lastNanos = clock.nanoTime() - started;
    totalNanos += lastNanos;
    return cut;
  }

  private Cut writeAndForce(Scope scope) throws IOException {
    CheckpointEvent event = CheckpointEvent.start();
    Moment moment = new Moment();
    var catalog = new AtomicReference<Catalog.Location>();
    Cut cut;
    long written;
    pageLock.lock();
    try {
      long before = writer.bytesWritten();
      cut = closeEpoch(moment, true);
      writePages(cut, true, () -> catalog.set(writeTreesAndCatalog(moment, cut.epoch())));
      if (scope == Scope.CHECKPOINT) {
        finish(cut);
      }
      written = writer.bytesWritten() - before;
      isForced = true;
    } finally {
      pageLock.unlock();
    }
    boolean done = false;
    try {
      makeDurable(cut.epoch(), moment.position(), catalog.get(), scope == Scope.LAST);
      done = true;
      tell(event, scope == Scope.LAST ? "LAST" : "CHECKPOINT", cut, written);
      return cut;
    } finally {
      isForced = false;
      if (!done && scope != Scope.CHECKPOINT) {
        letGo(cut.epoch());
      }
    }
  }

  /// Closes the epoch and holds it. Under the page lock.
  private Cut closeEpoch(Moment moment, boolean forCheckpoint) {
    requireSound();
    return snapshots.closeEpoch(() -> {
      moment.position = log.position();
      moment.spaces = spaces.all();
      moment.nextSpaceId = spaces.nextId();
      if (forCheckpoint) {
        valuesUnderWaySince = notes == null ? -1 : notes.oldestUnderWay();
      }
      pages.beginCheckpoint(epochs.current() - 1);
    });
  }

  /// Lets `write` write pages of a closed epoch, of which it lets go if that fails. Under the page
  /// lock.
  @SuppressWarnings("NonAtomicVolatileUpdate") // under the page lock
  private void writePages(Cut cut, boolean forced, IoAction write) throws IOException {
    boolean done = false;
    try {
      pacer.begin(forced);
      if (pacer.isTight()) {
        // What found no room behind the end is to try the free space before it.
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
        letGo(cut.epoch());
      }
    }
  }

  @FunctionalInterface
  private interface IoAction {
    void run() throws IOException;
  }

  /// Says what a failure to write means for the store.
  private <T> T reporting(IoCall<T> call) {
    try {
      return call.get();
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
    } catch (StoreFailedException | StoreIoException | StoreClosedException e) {
      throw e; // it failed before, or in a read, which changed nothing
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

  /// Writes dirty leaves, and the inner pages above as well only where those take too much memory.
  private void spillTrees(List<LiveSpace> present, long epoch) throws IOException {
    PageCache cache = pages.cache();
    boolean leavesAlone =
        cache.dirtyInnerBytes() <= (long) (cache.bytesMax() * DIRTY_INNER_SHARE_MAX);
    for (LiveSpace space : present) {
      Node root = root(space, epoch);
      if (leavesAlone) {
        writer.writeLeaves(root, space.id());
      } else {
        writer.write(root, space.id());
      }
    }
    writer.flush();
  }

  private static Node root(LiveSpace space, long epoch) {
    Node root = space.tree().rootAt(epoch);
    if (root == null) {
      throw new IllegalStateException("no root of the closed epoch: space=" + space.name());
    }
    return root;
  }

  private List<SpaceRoot> writeTrees(List<LiveSpace> present, long epoch) throws IOException {
    List<SpaceRoot> roots = new ArrayList<>();
    List<Node> nodes = new ArrayList<>();
    for (LiveSpace space : present) {
      Node root = root(space, epoch);
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

  private Catalog.Location writeTreesAndCatalog(Moment moment, long epoch) throws IOException {
    List<SpaceRoot> roots = writeTrees(moment.spaces, epoch);
    pages.largeValues().settle();
    List<Long> dropped = file.extents().advanceLive(newest.epoch(), epoch);
    Catalog catalog =
        new Catalog(
            moment.nextSpaceId, roots, file.extents().liveRuns(), dropped, newest.catalogExtent());
    return catalog.write(file, epoch);
  }

  /// Makes what was written the newest checkpoint.
  private void makeDurable(long epoch, LogPosition cut, Catalog.Location catalog, boolean atClose)
      throws IOException {
    Superblock previous = newest;
    LogPosition position = atClose ? cut.atCleanClose() : cut;
    file.force();
    // What the superblock says is behind us must not depend on a log that a power cut could undo.
    log.force();
    newest = writeNextSuperblock(epoch, position, catalog);
    file.extents().retire(previous.catalogExtent(), epoch);
    if (atClose) {
      newest = writeNextSuperblock(epoch, position, catalog);
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

  private Superblock writeNextSuperblock(long epoch, LogPosition position, Catalog.Location catalog)
      throws IOException {
    Superblock before = newest;
    Superblock next =
        superblock(
            before.idHigh(),
            before.idLow(),
            before.sequence() + 1,
            epoch,
            catalog,
            before.pageBytes(),
            position);
    next.write(file);
    return next;
  }

  /// Frees what neither superblock nor a snapshot needs any more (E1).
  private void releaseExtents() {
    file.extents().release(Math.min(releasableEpoch, epochs.oldestLive()));
  }

  /// Checkpoints written.
  long count() {
    return count;
  }

  /// Spills written.
  long spillCount() {
    return spillCount;
  }

  /// How often all dirty leaves were written, by checkpoints and spills, one at a time.
  long roundCount() {
    return roundCount;
  }

  /// Bytes of pages written.
  long bytes() {
    return bytes;
  }

  /// The time that all checkpoints took.
  long totalNanos() {
    return totalNanos;
  }

  /// The time that the last checkpoint took.
  long lastNanos() {
    return lastNanos;
  }
}
