package io.varve.internal.store;

import io.varve.Codec;
import io.varve.Commit;
import io.varve.CorruptStoreException;
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
import io.varve.StoreIoException;
import io.varve.StoreOptions;
import io.varve.Transaction;
import io.varve.TransactionBody;
import io.varve.TransactionWork;
import io.varve.VarveException;
import io.varve.Verification;
import io.varve.Visibility;
import io.varve.Watch;
import io.varve.admin.BackupOptions;
import io.varve.admin.BackupPoint;
import io.varve.internal.backup.BackupSet;
import io.varve.internal.backup.TakenPoints;
import io.varve.internal.checkpoint.MemoryReclaimer;
import io.varve.internal.checkpoint.Verifier;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.ClosingSteps;
import io.varve.internal.disk.StackProbe;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.index.IndexRegistry;
import io.varve.internal.index.SpaceIndexes;
import io.varve.internal.item.ItemSpaces;
import io.varve.internal.item.LayerNames;
import io.varve.internal.item.LayerSpaces;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.OrderedLock;
import io.varve.internal.map.SpaceMap;
import io.varve.internal.map.SpaceSet;
import io.varve.internal.salvage.SalvageTarget;
import io.varve.internal.txn.Committer;
import io.varve.internal.txn.IndexNames;
import io.varve.internal.txn.Lifecycle;
import io.varve.internal.txn.Snapshots;
import io.varve.internal.txn.SpaceCore;
import io.varve.internal.txn.SpaceWatch;
import io.varve.internal.txn.Spaces;
import io.varve.internal.txn.StoreSnapshot;
import io.varve.internal.txn.Tables;
import io.varve.internal.txn.Throttle;
import io.varve.internal.txn.TransactionMemory;
import io.varve.internal.txn.Transactor;
import io.varve.internal.wal.StoreLog;
import io.varve.item.ItemSpace;
import java.io.IOException;
import java.util.SortedSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A store that is open: its parts, and the operations that users call.
final class OpenStore implements Store {
  /// How many parts of spaces that were dropped a checkpoint removes that a user asks for, so that
  /// it counts small ones as free: each has up to 256 leaves.
  private static final int REMOVED_PARTS_MAX = 16;

  private final StoreOptions options;
  private final StoreFiles files;
  private final StoreParts parts;
  private final Committer committer;
  private final Spaces spaces;
  private final Snapshots snapshots;
  private final Lifecycle lifecycle;
  private final Tables tables;
  private final Transactor transactor;
  private final IndexRegistry indexes;
  private final ItemSpaces items;
  private final OrderedLock closing;

  /// What a store on a disk has in addition; null for one in memory.
  private final @Nullable DurableParts durable;

  /// The backup points of the store so far.
  private final TakenPoints takenPoints;

  private boolean released;

  /// Guarded by the lock `closing`.
  private boolean closedCleanly;

  /// What makes a store of a disk's content.
  ///
  /// @param log of the store, whose replay is part of `recovery`
  /// @param takenPoints the backup points of the store so far
  record Opening(StoreLog log, TakenPoints takenPoints, Recovery recovery) {}

  /// Fills a store with what is on its disk.
  @FunctionalInterface
  interface Recovery {
    /// Recovers the content.
    ///
    /// @param parts of the store, which is empty still
    RecoveredStore recover(StoreParts parts) throws IOException;
  }

  /// @param firstEpoch the first of this life
  /// @param opening fills the store; null for one in memory
  OpenStore(
      StoreOptions options,
      Clock clock,
      StoreFiles files,
      long firstEpoch,
      @Nullable Opening opening)
      throws IOException {
    this.options = options;
    this.files = files;
    this.closing = new OrderedLock(files.pages().locks(), LockOrder.CLOSING);
    this.parts =
        new StoreParts(
            this, options, clock, files, firstEpoch, opening == null ? null : opening.log());
    this.takenPoints = opening == null ? TakenPoints.UNKNOWN : opening.takenPoints();
    this.snapshots = parts.snapshots;
    this.lifecycle = parts.commits.lifecycle();
    this.items =
        new ItemSpaces(
            this,
            new LayerSpaces(
                this::anySpace, this::dropAnySpace, this::namesFrom, lifecycle::requireOpen));
    try {
      RecoveredStore recovered = opening == null ? null : opening.recovery().recover(parts);
      Throttle throttle =
          recovered == null ? new MemoryReclaimer(parts.pages, snapshots) : recovered.throttle();
      StoreWriters writers = StoreWriters.of(this, parts, throttle);
      this.committer = writers.committer();
      this.spaces = writers.spaces();
      this.tables = new Tables(spaces);
      this.transactor =
          new Transactor(
              this,
              committer,
              snapshots,
              writers.values(),
              TransactionMemory.of(
                  Runtime.getRuntime().maxMemory(), parts.options.cacheBytes(), parts.clock),
              parts.spaces::find);
      this.indexes =
          new IndexRegistry(
              spaces,
              transactor,
              this::dropAnySpace,
              options.readOnly(),
              parts.file.locks(),
              recovered == null ? StoreThreads.PLATFORM : recovered.threads());
      this.durable = recovered == null ? null : recovered.start(writers);
    } catch (Throwable e) { // nobody gets this store, and so nobody closes it
      var steps = new ClosingSteps(e);
      if (opening != null) {
        steps.take(opening.log()::close);
      }
      steps.take(parts.cache::close);
      throw e;
    }
  }

  @Override
  public Space space(String name) {
    LayerNames.requireNone(name);
    return foundOrMade(name, () -> findSpace(name), () -> anySpace(name));
  }

  private SortedSet<String> namesFrom(String first) {
    return spaces.namesFrom(first);
  }

  /// The space of a name that a user gave, made if there is none (ITEMS-1).
  ///
  /// @param finding gives it if there is one, and makes none: a drop may come before it looks
  private Space foundOrMade(
      String name, Supplier<? extends @Nullable Space> finding, Supplier<Space> making) {
    Space present = finding.get();
    if (present != null) {
      return present;
    }
    return options.readOnly() ? making.get() : items.make(name, finding, making);
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
    boolean dropped = spaces.drop(name);
    if (durable == null) {
      parts.spaces.dropped().remove(Integer.MAX_VALUE);
    } else {
      durable.requests().askForRemoval();
    }
    if (!LayerNames.isLayer(name)) {
      items.dropped(name);
    }
    return dropped;
  }

  @Override
  public boolean renameSpace(String name, String newName) {
    LayerNames.requireNone(name);
    LayerNames.requireNone(newName);
    requireWritable("rename");
    return !IndexNames.isIndex(name)
        && items.renamed(name, newName, () -> spaces.rename(name, newName));
  }

  private Space table(String name, Codec<?> keys, @Nullable Codec<?> values) {
    LayerNames.requireNone(name);
    lifecycle.requireOpen();
    boolean readOnly = options.readOnly();
    return foundOrMade(
        name,
        () -> tables.find(name, keys, values, readOnly),
        () -> tables.open(name, keys, values, readOnly));
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
  public Watch watch(Space space, Visibility visibility, long bytesMax) {
    SpaceCore core = spaces.require(space).core();
    return SpaceWatch.of(core, snapshots, parts.clock, visibility, bytesMax);
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
    return new Commit(committer.order().lastCommit());
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
    if (durable != null) {
      parts.spaces.dropped().remove(REMOVED_PARTS_MAX);
      durable.checkpointer().checkpoint();
    }
  }

  @Override
  public long compact() {
    requireWritable("compaction");
    StackProbe.require();
    return durable == null ? 0 : durable.scheduler().compactNow();
  }

  long appliedCommits() {
    return committer.order().commits();
  }

  /// Takes a point into a place of backups.
  BackupPoint backup(BackupPlace target, BackupOptions how) {
    requireWritable("backup");
    StackProbe.require();
    if (durable == null) {
      throw new IllegalStateException("a store in memory has no pages to back up: dump it instead");
    }
    try (BackupSet set = target.open(true)) {
      PointTaker taker =
          new PointTaker(files.disk(), parts.file, takenPoints, parts.clock, options.archiveLog());
      return taker.take(durable.checkpointer(), set, how);
    } catch (CorruptStoreException e) {
      // The last checkpoint of a close frees what this held, and a value under way may be written
      // there: no damage.
      lifecycle.requireOpen();
      throw e;
    }
  }

  @Override
  public Verification verify(Snapshot snapshot, ProgressListener listener) {
    lifecycle.requireOpen();
    if (!(snapshot instanceof StoreSnapshot own) || !own.isOf(this)) {
      throw new IllegalArgumentException("the snapshot is not one of this store");
    }
    Verifier verifier = new Verifier(parts.pages, snapshots, lifecycle, listener);
    return withIndexes(verifier.verify(parts.spaces.all(), own.epoch()), snapshot);
  }

  @Override
  public Verification verify(ProgressListener listener) {
    lifecycle.requireOpen();
    StackProbe.require();
    Verifier verifier = new Verifier(parts.pages, snapshots, lifecycle, listener);
    if (durable != null && durable.log().failure() != null) {
      return verifier.verify(parts.spaces.all());
    }
    Verification trees =
        durable == null
            ? verifier.verify(parts.spaces.all())
            : verifyWithAccounts(verifier, durable);
    try (Snapshot snapshot = snapshot()) {
      return withIndexes(trees, snapshot);
    }
  }

  /// Compares indexes with their spaces, where all of these can be read.
  private Verification withIndexes(Verification trees, Snapshot snapshot) {
    return trees.isSound()
        ? new Verification(
            indexes.verify(snapshot),
            trees.spaces(),
            trees.pages(),
            trees.entries(),
            trees.liveBytes(),
            trees.freeBytes())
        : trees;
  }

  private static Verification verifyWithAccounts(Verifier verifier, DurableParts durable) {
    durable.checkpointer().lock().lock();
    try {
      long epoch = durable.checkpointer().checkpointAndHold();
      return verifier.verifyWithAccounts(
          durable.checkpointer().newestSpaces(), durable.checkpointer().newestDropped(), epoch);
    } finally {
      durable.checkpointer().lock().unlock();
    }
  }

  @Override
  public Statistics statistics() {
    StackProbe.require(); // a class whose initialization fails stays unusable
    lifecycle.requireOpen();
    long epoch = parts.commits.epochs().current();
    return new StoreFigures(
        new StoreFigures.CommitValues(
            committer.order().commits(),
            committer.order().conflicts(),
            committer.order().lastCommit(),
            durable == null ? 0 : durable.log().statistics().durableLsn(),
            durable == null ? 0 : durable.backpressure().throttledNanos(),
            parts.commits.gate().longestShutNanos()),
        durable == null ? StoreFigures.LogValues.NONE : durable.logFigures(),
        StoreFigures.CacheValues.of(parts.cache),
        durable == null ? StoreFigures.CheckpointValues.NONE : durable.checkpointFigures(),
        new StoreFigures.DiskValues(
            parts.file.bytesRead(),
            parts.file.bytesWritten(),
            parts.file.extents().endBytes(),
            parts.file.extents().freeBytes() + parts.file.extents().retiredBytes(),
            durable == null ? 0 : durable.disk().usedBytes(),
            durable == null ? Long.MAX_VALUE : options.diskBytesMax()),
        durable == null || durable.recovered().commits() == 0
            ? StoreFigures.RecoveryValues.NONE
            : new StoreFigures.RecoveryValues(
                durable.recovered().nanos(), durable.recovered().commits()),
        new StoreFigures.SnapshotValues(
            snapshots.list(), epoch, Math.min(epoch, parts.commits.epochs().live().oldest())));
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
      var steps = new ClosingSteps();
      try {
        shutDown(steps);
      } finally { // also where there is no memory for a step
        steps.take(snapshots::closeAll);
        steps.take(files::close);
        // After the file: a read under way that finds nothing here meets a closed store.
        steps.take(parts.cache::close);
      }
      throwFailure(steps);
    } finally {
      closing.unlock();
    }
  }

  /// Whether the close wrote a checkpoint of all that was committed, which needs no log.
  boolean isClosedCleanly() {
    closing.lock();
    try {
      return closedCleanly;
    } finally {
      closing.unlock();
    }
  }

  private void throwFailure(ClosingSteps steps) {
    try {
      steps.throwFailure();
    } catch (IOException e) {
      throw new StoreIoException(
          "the store was not closed in order: directory="
              + files.disk().describe("")
              + "; its files are released; see the cause, then open it again",
          e);
    } catch (InternalError e) {
      throw new StoreFailedException(
          "memory that maps a file could not be read or written when the store was closed:"
              + " directory="
              + files.disk().describe("")
              + ", cause="
              + e
              + "; see that nothing truncates the files of the store, then open it again",
          e);
    }
  }

  /// Refuses new work, lets commits under way end, and makes the directory a clean store; or, if
  /// the store has failed, leaves it to the next open to recover.
  private void shutDown(ClosingSteps steps) {
    boolean hadFailed = durable != null && durable.log().failure() != null;
    if (durable != null && durable.timestampRecorder() != null) {
      steps.take(durable.timestampRecorder()::stop);
    }
    steps.take(lifecycle::close);
    steps.take(committer.aloneRuns()::wakeAll);
    steps.take(() -> parts.spaces.all().forEach(SpaceCore::wakeWatches));
    steps.take(this::shutOutCommits);
    if (durable != null) {
      endDurable(durable, hadFailed, steps);
    }
  }

  /// Waits until no commit is being applied.
  ///
  /// @throws StoreFailedException if a thread was lost inside (GATE-3)
  private void shutOutCommits() {
    parts.commits.gate().shut();
    parts.commits.gate().open();
  }

  /// @param hadFailed before the close: that was reported then
  private void endDurable(DurableParts durable, boolean hadFailed, ClosingSteps steps) {
    steps.take(durable.scheduler()::stop);
    steps.take(() -> closedCleanly = writesLastCheckpoint(durable));
    if (closedCleanly) {
      steps.take(durable.log()::closeAndDiscard);
      // The log has just freed capacity for what the next open may need.
      steps.take(durable.ballast()::restore);
    } else {
      steps.take(durable.log()::close);
    }
    if (!hadFailed && steps.failure() == null) {
      steps.take(durable.log()::requireDurable);
    }
  }

  /// Writes the checkpoint after which no log is needed.
  ///
  /// @return false if there is none, so that the log stays, which the next open recovers
  private boolean writesLastCheckpoint(DurableParts durable) {
    if (durable.log().failure() != null || options.readOnly()) {
      return false;
    }
    try {
      durable.checkpointer().checkpointAtClose();
      return true;
    } catch (VarveException e) {
      // A full or failed disk: the log holds all that was acknowledged, and stays.
      System.getLogger(OpenStore.class.getName())
          .log(System.Logger.Level.WARNING, "closing without a checkpoint", e);
      return false;
    }
  }
}
