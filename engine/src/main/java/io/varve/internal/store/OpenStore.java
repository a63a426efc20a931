package io.varve.internal.store;

import io.varve.Codec;
import io.varve.Commit;
import io.varve.Durability;
import io.varve.IndexedSpace;
import io.varve.OrderedMap;
import io.varve.OrderedSet;
import io.varve.ProgressListener;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Statistics;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.StoreOptions;
import io.varve.Transaction;
import io.varve.TransactionBody;
import io.varve.TransactionWork;
import io.varve.VarveException;
import io.varve.Verification;
import io.varve.Visibility;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.internal.backup.BackupSet;
import io.varve.internal.cache.PageCache;
import io.varve.internal.cache.Pages;
import io.varve.internal.checkpoint.Backpressure;
import io.varve.internal.checkpoint.BallastFile;
import io.varve.internal.checkpoint.CapacityReclaimer;
import io.varve.internal.checkpoint.CheckpointPacer;
import io.varve.internal.checkpoint.CheckpointScheduler;
import io.varve.internal.checkpoint.Checkpointer;
import io.varve.internal.checkpoint.CommitAdmission;
import io.varve.internal.checkpoint.Compactor;
import io.varve.internal.checkpoint.DiskAdmission;
import io.varve.internal.checkpoint.MemoryReclaimer;
import io.varve.internal.checkpoint.Verifier;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.MeteredDisk;
import io.varve.internal.disk.StackProbe;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.file.ArchivedValues;
import io.varve.internal.file.Catalog;
import io.varve.internal.file.Catalog.SpaceRoot;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.Superblock;
import io.varve.internal.index.IndexRegistry;
import io.varve.internal.index.SpaceIndexes;
import io.varve.internal.item.ItemSpaces;
import io.varve.internal.item.LayerNames;
import io.varve.internal.item.LayerSpaces;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.OrderedLock;
import io.varve.internal.map.SpaceMap;
import io.varve.internal.map.SpaceSet;
import io.varve.internal.page.Node;
import io.varve.internal.salvage.SalvageTarget;
import io.varve.internal.store.StoreOpener.StoreFiles;
import io.varve.internal.tree.Epochs;
import io.varve.internal.txn.CommitGate;
import io.varve.internal.txn.CommitLog;
import io.varve.internal.txn.Committer;
import io.varve.internal.txn.IndexNames;
import io.varve.internal.txn.Lifecycle;
import io.varve.internal.txn.LogNotes;
import io.varve.internal.txn.Relocator;
import io.varve.internal.txn.Snapshots;
import io.varve.internal.txn.Spaces;
import io.varve.internal.txn.StoreSnapshot;
import io.varve.internal.txn.Tables;
import io.varve.internal.txn.Transactor;
import io.varve.internal.txn.ValueWriter;
import io.varve.internal.wal.Log;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.segment.LogArchive;
import io.varve.item.ItemSpace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SortedSet;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// A store that is open: its parts, and the operations that users call.
final class OpenStore implements Store {
  /// Parts of dropped spaces that a user's checkpoint removes: each has up to 256 leaves.
  private static final int REMOVED_PARTS_MAX = 16;

  private final StoreOptions options;
  private final StoreFiles files;
  private final Clock clock;
  private final PageFile file;
  private final PageCache cache;
  private final Pages pages;
  private final Epochs epochs;
  private final CommitGate gate;
  private final CommitLog commitLog = new CommitLog();
  private final Lifecycle lifecycle = new Lifecycle();
  private final Backpressure backpressure;
  private final Committer committer;

  /// What goes to the log in addition to commits, or null if the log is not kept.
  private final @Nullable LogNotes notes;

  private final ValueWriter values;
  private final Spaces spaces;
  private final Tables tables;
  private final Snapshots snapshots;
  private final Transactor transactor;
  private final IndexRegistry indexes;
  private final ItemSpaces items =
      new ItemSpaces(this, new LayerSpaces(this::anySpace, this::dropAnySpace));
  private final OrderedLock closing = new OrderedLock(LockOrder.CLOSING);

  /// What a durable store has in addition. Set once by [#start], before the store is handed out.
  private @Nullable Durable durable;

  /// What writes the checkpoints of a durable store, also of its recovery. Set once by [#restore].
  private @Nullable Checkpointer checkpointer;

  private boolean released;

  /// @param superblock the checkpoint that the store starts from, or null for a store in memory
  /// @param firstEpoch the first of this life
  OpenStore(
      StoreOptions options,
      Clock clock,
      StoreFiles files,
      @Nullable Superblock superblock,
      long firstEpoch) {
    this.options = options;
    this.files = files;
    this.clock = clock;
    this.file = files.pages();
    this.cache =
        new PageCache(options.cache().retention(), options.cacheBytes(), options.cache().share());
    this.pages = new Pages(file, cache, options.pageBytes());
    this.epochs = new Epochs(firstEpoch);
    this.gate = new CommitGate(clock);
    this.backpressure = new Backpressure(cache, clock);
    this.committer = new Committer(epochs, gate, commitLog, lifecycle, options.durability(), clock);
    this.notes = superblock != null && options.archiveLog() ? new LogNotes(committer) : null;
    this.values = new ValueWriter(committer, notes);
    this.spaces = new Spaces(this, pages, committer, values, clock);
    this.tables = new Tables(spaces);
    this.snapshots = new Snapshots(this, committer, clock, options.snapshotOrigins());
    this.transactor = new Transactor(this, committer, snapshots, values, spaces::find);
    this.indexes = new IndexRegistry(spaces, transactor, this::dropAnySpace, options.readOnly());
    if (superblock == null) {
      committer.throttleBy(new MemoryReclaimer(pages, epochs, snapshots));
    }
  }

  /// The log, the checkpoints, and what the open found.
  private record Durable(
      Log log,
      Checkpointer checkpointer,
      CheckpointScheduler scheduler,
      BallastFile ballast,
      MeteredDisk disk,
      @Nullable TimeKeeper timeKeeper,
      long recovered,
      long nanos) {

    StoreFigures.LogValues logFigures() {
      var now = log.statistics();
      return new StoreFigures.LogValues(
          now.bytes(),
          now.retainedBytes(),
          disk.usedBytes(LogArchive.DIRECTORY),
          now.forces(),
          now.forceNanos());
    }

    StoreFigures.CheckpointValues checkpointFigures() {
      return new StoreFigures.CheckpointValues(
          checkpointer.count(),
          checkpointer.spillCount(),
          checkpointer.totalNanos(),
          checkpointer.lastNanos(),
          checkpointer.bytes());
    }
  }

  /// Takes over a checkpoint, to replay a log from there on.
  ///
  /// @param before whether the other superblock names the checkpoint before
  /// @param survey of that log; null if it is a kept one
  /// @param images where the values are that the log names; null if they are where it says
  /// @return what takes the commits of the log
  Replay restore(
      Checkpointer.Base base,
      boolean before,
      @Nullable LogSurvey survey,
      @Nullable ArchivedValues images)
      throws IOException {
    Superblock superblock = base.superblocks().newest();
    Catalog catalog = Catalog.read(file, superblock.catalogExtent(), superblock.catalogChecksum());
    catalog.requireWithin(file);
    catalog.reserve(file.extents(), superblock.catalogExtent());
    if (before) {
      catalog.requirePreviousWithin(file);
      catalog.reservePrevious(file.extents(), superblock.epoch());
    }
    pages.beginCheckpoint(superblock.epoch());
    pages.endCheckpoint();
    for (SpaceRoot root : catalog.spaces()) {
      spaces.restore(
          root.id(),
          root.definition(),
          Node.reference(root.level(), root.extent(), root.checksum(), root.entryCount()),
          superblock.epoch());
    }
    spaces.nextId(catalog.nextSpaceId());
    ReplayedLog log = new ReplayedLog();
    CheckpointPacer pacer = new CheckpointPacer(clock, log, backpressure, base.disk(), cache);
    Checkpointer writer = new Checkpointer(pages, snapshots, spaces, log, pacer, base);
    checkpointer = writer;
    return new Replay(
        spaces,
        epochs,
        file,
        files.disk().describe(LogFiles.DIRECTORY),
        new ReplayRelief(writer, backpressure, pages, log, options.log().bytesMax(), survey),
        images);
  }

  /// Starts to take commits.
  void start(
      Log log,
      StoreThreads threads,
      Checkpointer.Base base,
      long logFileBytesMax,
      long lastLsn,
      long recovered,
      long recoveryNanos) {
    commitLog.attach(log);
    file.onDamage(log::fail);
    committer.resume(lastLsn);
    TimeKeeper timeKeeper = null;
    if (notes != null) {
      timeKeeper = new TimeKeeper(notes, committer, log, clock, threads);
    }
    Checkpointer checkpointer = Objects.requireNonNull(this.checkpointer, "restore comes first");
    checkpointer.attach(log, notes);
    MeteredDisk disk = base.disk();
    BallastFile ballast = base.ballast();
    Relocator relocator = new Relocator(committer, values);
    Compactor compactor = new Compactor(spaces, relocator, file, checkpointer, clock);
    CheckpointScheduler scheduler =
        new CheckpointScheduler(
            checkpointer,
            compactor,
            committer,
            backpressure,
            log,
            clock,
            threads,
            options.checkpointInterval().toNanos());
    DiskAdmission admission = new DiskAdmission(disk, pages, ballast, logFileBytesMax);
    var reclaimer = new CapacityReclaimer(admission, checkpointer, scheduler, spaces, log, clock);
    committer.throttleBy(
        options.readOnly()
            ? new ReadOnly.NoCommits(disk.describe(""))
            : new CommitAdmission(admission, reclaimer, backpressure));
    durable =
        new Durable(
            log, checkpointer, scheduler, ballast, disk, timeKeeper, recovered, recoveryNanos);
    backpressure.onPressure(
        scheduler::askForMemory,
        () -> threads.callerMayServe() && checkpointer.trySpill(),
        () -> log.failure() == null,
        checkpointer::roundCount);
    log.onPressure(scheduler::askForCheckpoint);
    if (!options.readOnly()) {
      scheduler.start();
    }
    if (timeKeeper != null) {
      timeKeeper.start();
    }
  }

  @Override
  public Space space(String name) {
    LayerNames.requireNone(name);
    return anySpace(name);
  }

  /// The space of that name, which may be that of a layer of items, made if there is none.
  private Space anySpace(String name) {
    lifecycle.requireOpen();
    return spaces.findOrCreate(name);
  }

  /// This as what a salvage fills.
  SalvageTarget salvageTarget() {
    return new SalvageTarget(this, this::anySpace, spaces::redefine, this::dropAnySpace);
  }

  /// Lets an operation pass that changes the files of the store, or names what it wrote.
  private void requireWritable(String what) {
    lifecycle.requireOpen();
    if (options.readOnly() && durable != null) {
      throw ReadOnly.refusal(what, files.disk().describe(""));
    }
  }

  @Override
  public @Nullable Space findSpace(String name) {
    lifecycle.requireOpen();
    return IndexNames.isIndex(name) ? null : spaces.find(name);
  }

  @Override
  public SortedSet<String> spaceNames() {
    lifecycle.requireOpen();
    return spaces.names();
  }

  @Override
  public boolean dropSpace(String name) {
    LayerNames.requireNone(name);
    return !IndexNames.isIndex(name) && dropAnySpace(name);
  }

  private boolean dropAnySpace(String name) {
    requireWritable("drop");
    indexes.dropAllOf(name);
    Durable parts = durable;
    boolean dropped = spaces.drop(name);
    if (parts == null) {
      spaces.dropped().remove(Integer.MAX_VALUE);
    } else {
      parts.scheduler.askForRemoval();
    }
    items.dropped(name);
    return dropped;
  }

  @Override
  public boolean renameSpace(String name, String newName) {
    LayerNames.requireNone(name);
    LayerNames.requireNone(newName);
    requireWritable("rename");
    return items.renamed(name, newName, () -> spaces.rename(name, newName));
  }

  private Space table(String name, Codec<?> keys, @Nullable Codec<?> values) {
    LayerNames.requireNone(name);
    lifecycle.requireOpen();
    return tables.open(name, keys, values, options.readOnly());
  }

  @Override
  public <K, V> OrderedMap<K, V> map(String name, Codec<K> keys, Codec<V> values) {
    return new SpaceMap<>(table(name, keys, values), keys, values);
  }

  @Override
  public <E> OrderedSet<E> set(String name, Codec<E> elements) {
    return new SpaceSet<>(table(name, elements, null), elements);
  }

  @Override
  public ItemSpace items(String name) {
    return items.open(name);
  }

  @Override
  public IndexedSpace indexed(Space space) {
    return new SpaceIndexes(indexes, spaces.require(space));
  }

  @Override
  public Transaction begin() {
    return transactor.begin();
  }

  @Override
  public <X extends Exception> Commit transact(Durability durability, TransactionWork<X> work)
      throws X {
    TransactionBody<@Nullable Void, X> body =
        transaction -> {
          work.run(transaction);
          return null;
        };
    return transactor.run(durability, work, body).commit();
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T transactAndGet(
      Durability durability, TransactionBody<T, X> body) throws X {
    return transactor.run(durability, body, body).result();
  }

  @Override
  public boolean isInTransaction() {
    return committer.isInBody();
  }

  @Override
  public Snapshot snapshot(Visibility visibility) {
    return snapshots.take(visibility);
  }

  @Override
  public Commit lastCommit() {
    lifecycle.requireOpen();
    return new Commit(committer.lastCommit());
  }

  @Override
  public void awaitDurable(Commit commit) {
    lifecycle.requireOpen();
    committer.awaitDurable(commit.lsn());
  }

  @Override
  public CompletionStage<Commit> whenDurable(Commit commit) {
    lifecycle.requireOpen();
    StackProbe.require();
    return committer.whenDurable(
        commit.lsn(), durable == null ? Durability.NONE : Durability.POWER_LOSS);
  }

  @Override
  public void checkpoint() {
    requireWritable("checkpoint");
    StackProbe.require();
    Durable parts = durable;
    if (parts != null) {
      spaces.dropped().remove(REMOVED_PARTS_MAX);
      parts.checkpointer.checkpoint();
    }
  }

  @Override
  public long compact() {
    requireWritable("compaction");
    StackProbe.require();
    Durable parts = durable;
    return parts == null ? 0 : parts.scheduler.compactNow();
  }

  /// Takes a point into a directory or a file.
  BackupPoint backup(Path target, BackupOptions how) {
    requireWritable("backup");
    StackProbe.require();
    try (BackupSet set = BackupSet.open(target, true)) {
      return backup(set, how);
    }
  }

  /// Takes a point into a set of backups.
  BackupPoint backup(BackupSet set, BackupOptions how) {
    requireWritable("backup");
    Durable parts = durable;
    if (parts == null) {
      throw new IllegalStateException("a store in memory has no pages to back up: dump it instead");
    }
    PointTaker taker = new PointTaker(files.disk(), file, clock, options.archiveLog());
    return taker.take(parts.checkpointer, set, how);
  }

  @Override
  public Verification verify(Snapshot snapshot, ProgressListener listener) {
    lifecycle.requireOpen();
    if (!(snapshot instanceof StoreSnapshot own) || !own.isOf(this)) {
      throw new IllegalArgumentException("the snapshot is not one of this store");
    }
    return new Verifier(pages, snapshots, listener).verify(spaces.all(), own.epoch());
  }

  @Override
  public Verification verify(ProgressListener listener) {
    lifecycle.requireOpen();
    StackProbe.require();
    Verifier verifier = new Verifier(pages, snapshots, listener);
    Durable parts = durable;
    if (parts == null || parts.log.failure() != null) {
      return verifier.verify(spaces.all());
    }
    parts.checkpointer.lock().lock();
    try {
      long epoch = parts.checkpointer.checkpointAndHold();
      return verifier.verifyWithAccounts(
          parts.checkpointer.newestSpaces(), parts.checkpointer.newestDropped(), epoch);
    } finally {
      parts.checkpointer.lock().unlock();
    }
  }

  @Override
  public Statistics statistics() {
    lifecycle.requireOpen();
    Durable parts = durable;
    long epoch = epochs.current();
    return new StoreFigures(
        new StoreFigures.CommitValues(
            committer.commits(),
            committer.conflicts(),
            committer.lastCommit(),
            parts == null ? 0 : parts.log.statistics().durableLsn(),
            backpressure.throttledNanos(),
            gate.longestShutNanos()),
        parts == null ? StoreFigures.LogValues.NONE : parts.logFigures(),
        StoreFigures.CacheValues.of(cache),
        parts == null ? StoreFigures.CheckpointValues.NONE : parts.checkpointFigures(),
        new StoreFigures.DiskValues(
            file.bytesRead(),
            file.bytesWritten(),
            file.extents().endBytes(),
            file.extents().freeBytes() + file.extents().retiredBytes(),
            parts == null ? 0 : parts.disk.usedBytes(),
            parts == null ? Long.MAX_VALUE : options.diskBytesMax()),
        parts == null || parts.recovered == 0
            ? StoreFigures.RecoveryValues.NONE
            : new StoreFigures.RecoveryValues(parts.nanos, parts.recovered),
        new StoreFigures.SnapshotValues(
            snapshots.list(), epoch, Math.min(epoch, epochs.live().oldest())));
  }

  @Override
  public StoreOptions options() {
    return options;
  }

  @Override
  public void close() {
    StackProbe.require();
    closing.lock();
    try {
      if (released) {
        return;
      }
      released = true;
      try {
        shutDown();
      } finally {
        snapshots.closeAll();
        files.close();
      }
    } finally {
      closing.unlock();
    }
  }

  /// Refuses new work, lets commits under way end, and makes the directory a clean store; a store
  /// that has failed is left to the next open to recover.
  private void shutDown() {
    Durable parts = durable;
    if (parts != null && parts.timeKeeper != null) {
      parts.timeKeeper.stop();
    }
    lifecycle.close();
    committer.aloneRuns().wakeAll();
    StoreFailedException lost = shutOutCommits();
    if (parts != null) {
      endDurable(parts);
    }
    if (lost != null) {
      throw lost;
    }
  }

  /// Waits until no commit is being applied.
  ///
  /// @return null, or why the store has failed (GATE-3)
  private @Nullable StoreFailedException shutOutCommits() {
    try {
      gate.shut();
    } catch (StoreFailedException e) {
      return e;
    }
    gate.open();
    return null;
  }

  private void endDurable(Durable parts) {
    parts.scheduler.stop();
    boolean clean = false;
    try {
      if (parts.log.failure() == null && !options.readOnly()) {
        parts.checkpointer.checkpointAtClose();
        clean = true;
      }
    } catch (VarveException e) {
      // A full or failed disk: the log holds all that was acknowledged, and stays.
      System.getLogger(OpenStore.class.getName())
          .log(System.Logger.Level.WARNING, "closing without a checkpoint", e);
    } finally {
      if (clean) {
        parts.log.closeAndDiscard();
        parts.ballast.restore(); // the log has just made room for what the next open may need
      } else {
        parts.log.close();
      }
    }
  }
}
