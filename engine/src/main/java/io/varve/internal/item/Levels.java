package io.varve.internal.item;

import io.varve.Commit;
import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.Transaction;
import io.varve.VarveException;
import io.varve.internal.disk.StackProbe;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The levels of an item space ([ItemState]): the main space of the store, which holds the newest
/// commits, below layers and overlays of changes.
///
/// - *A change* makes a new overlay of open changes under the lock of the changes.
/// - *A commit* freezes the open changes and applies them, under the lock of the layers: as one
///   transaction of the store to the main space; or, if there are layers, to the newest. Committers
///   that come in that time join the next [CommitGroup], whose leader commits for all of them.
/// - *Large amounts:* open changes that pass a bound are moved to a layer, a space of the store
///   that means nothing yet; a commit of them puts a mark into it. Then the leader merges it into
///   the main space. The layer that is being merged takes no more commits; a newer one does.
/// - *A rollback* drops the open changes and their layer; but first it commits for the threads that
///   have asked for a commit already.
final class Levels implements ItemSource {
  /// The part of the cache's budget that open changes may take in addition to it.
  private static final int OPEN_SHARE = 16;

  private static final long OPEN_BYTES_MIN = 64 << 10;
  private static final long OPEN_BYTES_MAX = 32L << 20;

  /// What the prefixes of removed subspaces may take of that: some thousand do, if they are short.
  /// Each removal copies the references to them.
  private static final long CLEARED_BYTES_MAX = 256 << 10;

  /// The part of the cache's budget that the pages of one transaction may take, if each change is
  /// in a leaf of its own: they are in memory together.
  private static final int TRANSACTION_SHARE = 2;

  /// Layers that one thread merges at most before it leaves them to the next commit.
  private static final int MERGES_MAX = 8;

  /// Committed layers that wait to be merged, before a committer waits for that.
  private static final int LAYERS_MAX = 4;

  /// Generations that wait for the disk concurrently: as many as the store writes batches
  /// concurrently. With more there would be fewer committers in each, and a transaction costs more
  /// than an item.
  private static final int WAITING_FOR_DISK_MAX = 4;

  private final Store store;
  private final Space main;
  private final LayerNames names;
  private final Runnable requiringStoreOpen;
  private final long openBytesMax;

  /// Changes that are committed by a transaction; more are by a layer.
  private final int transactionChangesMax;

  /// Held while the levels below the overlays are changed, and while commits are applied.
  private final ReentrantLock applying = new ReentrantLock();

  /// Held while a layer is merged. Taken before `applying`, and only tried.
  private final ReentrantLock merging = new ReentrantLock();

  private final Semaphore waitingForDisk = new Semaphore(WAITING_FOR_DISK_MAX, true);

  /// Held while `state` and `group` are replaced.
  private final ReentrantLock changing = new ReentrantLock();

  /// Written under `changing`; its levels below also under `applying`.
  private volatile ItemState state;

  /// Whether the main space was dropped. Set under `applying`.
  private volatile boolean dropped;

  /// Why what is in memory may not be what the store holds, or null. Set under `applying`, once and
  /// for all.
  private volatile @Nullable Throwable broken;

  /// The group of the open changes. Guarded by `changing`.
  private CommitGroup group = new CommitGroup();

  /// The newest commit. Guarded by `applying`.
  private Commit lastCommit;

  /// Opens the items of a store under a name: finds what of them was committed.
  Levels(Store store, LayerSpaces layers, String name) {
    this.store = store;
    this.main = store.space(name);
    this.names = new LayerNames(store, layers, name);
    this.requiringStoreOpen = layers.requiringOpen();
    this.openBytesMax =
        Math.clamp(store.options().cacheBytes() / OPEN_SHARE, OPEN_BYTES_MIN, OPEN_BYTES_MAX);
    this.transactionChangesMax =
        (int)
            Math.min(
                store.options().cacheBytes() / store.options().pageBytes() / TRANSACTION_SHARE,
                Integer.MAX_VALUE);
    this.state = new ItemState(Overlay.EMPTY, Overlay.EMPTY, names.recover());
    this.lastCommit = store.lastCommit();
  }

  @Override
  public ItemState state() {
    requireOpen();
    return state;
  }

  @Override
  public Space main() {
    return main;
  }

  @Override
  public Cursor cursor(Space space, Range range) {
    return space.cursor(range);
  }

  @Override
  public <T> T whileStill(Supplier<T> read) {
    applying.lock();
    try {
      return read.get();
    } finally {
      applying.unlock();
    }
  }

  /// A snapshot, or null if the levels below the overlays were changed concurrently.
  @Nullable LayeredSnapshot trySnapshot() {
    requireWhole();
    ItemState now = state;
    Snapshot below = store.snapshot();
    LayeredSnapshot snapshot = LayeredSnapshot.pin(main, now, below);
    if (snapshot != null && !state.isSameBelow(now)) {
      snapshot.close();
      return null;
    }
    return snapshot;
  }

  /// Replaces the open changes.
  void change(UnaryOperator<Overlay> change) {
    requireOpen();
    Overlay changed;
    changing.lock();
    try {
      ItemState now = state;
      changed = change.apply(now.open());
      state = now.open(changed);
    } finally {
      changing.unlock();
    }
    moveIfMuch(changed);
  }

  /// Replaces the open changes, if the levels below them are those of an earlier state still.
  ///
  /// @param change gives null if it is too late for other reasons
  /// @return whether they were replaced
  boolean changeOver(ItemState before, Function<Overlay, @Nullable Overlay> change) {
    Overlay changed;
    changing.lock();
    try {
      ItemState now = state;
      changed = now.isSameBelow(before) ? change.apply(now.open()) : null;
      if (changed == null) {
        return false;
      }
      state = now.open(changed);
    } finally {
      changing.unlock();
    }
    moveIfMuch(changed);
    return true;
  }

  private void moveIfMuch(Overlay open) {
    if (isMuch(open)) {
      moveOpenToLayer();
    }
  }

  private boolean isMuch(Overlay open) {
    return open.bytes() > openBytesMax || open.cleared().bytes() > CLEARED_BYTES_MAX;
  }

  private void requireOpen() {
    StackProbe.require(); // what follows has locks, and threads that wait for it
    requiringStoreOpen.run(); // an overlay could be changed forever
    if (dropped) {
      throw new IllegalStateException("the item space was dropped: space=" + main.name());
    }
    requireWhole();
  }

  private void requireWhole() {
    Throwable cause = broken;
    if (cause != null) {
      throw new StoreFailedException(
          "a commit of items broke off while it ended, so what is in memory may not be what the"
              + " store holds: space="
              + main.name()
              + "; close the store and open it again, which reports",
          cause);
    }
  }

  /// Lets nobody change or commit items any more, whose main space was dropped. A commit under way
  /// is waited for.
  void dropped() {
    applying.lock();
    try {
      dropped = true;
    } finally {
      applying.unlock();
    }
  }

  // --- commits --------------------------------------------------------------------------------

  /// Commits the open changes.
  Commit commit(Durability durability) {
    requireOpen();
    if (durability == Durability.NONE && weakest() != Durability.NONE) {
      throw new IllegalArgumentException(
          "durability NONE is for stores in memory: a commit that no log holds would break the"
              + " order in which commits survive; use BACKGROUND");
    }
    boolean toDisk = durability == Durability.POWER_LOSS;
    CommitGroup joined;
    boolean leads;
    changing.lock();
    try {
      joined = group;
      leads = joined.join(toDisk);
    } finally {
      changing.unlock();
    }
    Commit commit;
    if (leads) {
      commit = toDisk ? leadToDisk(joined) : lead(joined);
      merge();
    } else {
      commit = toDisk ? joined.awaitReleased() : joined.awaitApplied();
    }
    if (toDisk) {
      store.awaitDurable(commit); // a leader has waited already, or has failed
    }
    return commit;
  }

  /// Commits a group, unless another thread has done so.
  private Commit lead(CommitGroup led) {
    applying.lock();
    try {
      if (!led.isEnded()) {
        commitOpen();
      }
    } finally {
      applying.unlock();
    }
    return led.outcome();
  }

  /// Commits a group and waits for the disk. Does so only when few others are waiting for it: until
  /// then more committers join.
  private Commit leadToDisk(CommitGroup led) {
    waitingForDisk.acquireUninterruptibly();
    try {
      Commit commit = lead(led);
      store.awaitDurable(commit);
      return commit;
    } finally {
      waitingForDisk.release();
      led.release();
    }
  }

  /// Commits the open changes for all threads that wait for it. They are notified of any failure.
  /// Called under `applying`.
  private void commitOpen() {
    CommitGroup ending;
    changing.lock();
    try {
      ending = group;
    } finally {
      changing.unlock();
    }
    Throwable failure = null;
    try {
      applyOpen();
    } catch (Throwable e) {
      failure = e;
    } finally {
      ending.end(lastCommit, failure);
    }
  }

  /// Freezes the open changes, after which a new group begins, and applies them.
  private void applyOpen() {
    ItemState frozen;
    changing.lock();
    try {
      frozen = freeze();
      group = new CommitGroup();
    } catch (RuntimeException | Error e) {
      poison(e); // the group ends, and none replaces it
      throw e;
    } finally {
      changing.unlock();
    }
    endWith(() -> apply(frozen));
  }

  /// Freezes the open changes. Called under `applying` and `changing`.
  private ItemState freeze() {
    if (!state.frozen().isEmpty()) {
      // Neither applied nor open again, since memory ran out in between: they must not get lost.
      poison(new IllegalStateException("changes of an earlier commit are frozen still"));
    }
    requireWhole();
    ItemState frozen = state.freeze();
    state = frozen;
    return frozen;
  }

  /// Moves the frozen changes to the levels below; or, if that fails, makes them open again.
  private void endWith(Supplier<Layers> work) {
    Layers below;
    try {
      below = work.get();
    } catch (Throwable e) {
      try {
        end(null);
      } catch (RuntimeException | Error left) {
        e.addSuppressed(left);
      }
      throw e;
    }
    end(below);
  }

  /// Takes the frozen changes out of the state, which the levels below have now; or, if these are
  /// null, makes them open again. Called under `applying`.
  private void end(@Nullable Layers below) {
    changing.lock();
    try {
      state = below == null ? state.thaw() : state.applied(below);
    } catch (RuntimeException | Error e) {
      poison(e);
      throw e;
    } finally {
      changing.unlock();
    }
  }

  /// Lets nobody change or commit items any more: what is in memory may not be what the store
  /// holds. Called under `applying`.
  private void poison(Throwable cause) {
    if (broken == null) {
      broken = cause;
    }
  }

  /// Commits the frozen changes to the levels below. Called under `applying`.
  ///
  /// @return the levels below
  private Layers apply(ItemState now) {
    Layers below = now.layers();
    Overlay changes = now.frozen();
    boolean isLarge = changes.count() > transactionChangesMax || !changes.cleared().isEmpty();
    if (below.open() || isLarge) {
      return commitLayer(below, changes);
    }
    if (changes.isEmpty()) {
      return below;
    }
    Layer target = below.takesCommits();
    if (target != null || below.committedCount() == 0) {
      try (Transaction transaction = store.begin()) {
        put(transaction, changes, target);
        lastCommit = transaction.commit(weakest());
      }
      return below.changed();
    }
    Layer added = names.create();
    releaseUnlessDone(added, () -> commitTo(added, changes));
    return below.withCommitted(added);
  }

  /// Commits changes to a new layer, which is committed with them.
  private void commitTo(Layer added, Overlay changes) {
    try (Transaction transaction = store.begin()) {
      added.mark(transaction);
      put(transaction, changes, added);
      lastCommit = transaction.commit(weakest());
    }
  }

  /// Does what makes a new layer part of the levels; if that fails, drops it.
  private static void releaseUnlessDone(Layer layer, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      try {
        layer.release();
      } catch (VarveException left) {
        e.addSuppressed(left); // the next open drops it
      }
      throw e;
    }
  }

  /// What a commit survives without waiting for the disk.
  private Durability weakest() {
    return store.options().durability() == Durability.NONE
        ? Durability.NONE
        : Durability.PROCESS_CRASH;
  }

  private void put(Transaction transaction, Overlay changes, @Nullable Layer target) {
    Overlay.Position at = changes.position();
    for (boolean on = at.seek(Layer.PRESENT, 0, false); on; on = at.next()) {
      if (target != null) {
        target.put(transaction, at.key(), at.isDeleted());
      } else if (at.isDeleted()) {
        transaction.delete(main, at.key());
      } else {
        transaction.put(main, at.key(), Layer.PRESENT);
      }
    }
  }

  /// Commits the layer of what is not committed yet, with the frozen changes.
  private Layers commitLayer(Layers below, Overlay changes) {
    return writeToLayer(below, changes, true).committed();
  }

  /// Writes changes to the layer of what is not committed yet.
  ///
  /// @param commits whether to commit it, too
  private Layers writeToLayer(Layers below, Overlay changes, boolean commits) {
    Layer present = below.uncommitted();
    Layer layer = present == null ? names.create() : present;
    if (present == null) {
      releaseUnlessDone(layer, () -> write(layer, changes, commits));
    } else {
      write(layer, changes, commits);
    }
    return below.withUncommitted(layer);
  }

  private void write(Layer layer, Overlay changes, boolean commits) {
    layer.write(changes);
    if (commits) {
      try (Transaction transaction = store.begin()) {
        layer.mark(transaction);
        lastCommit = transaction.commit(weakest());
      }
    }
  }

  /// Moves the open changes to a layer, since they are too many for memory.
  private void moveOpenToLayer() {
    applying.lock();
    try {
      ItemState frozen;
      changing.lock();
      try {
        if (!isMuch(state.open())) {
          return;
        }
        frozen = freeze();
      } finally {
        changing.unlock();
      }
      endWith(() -> writeToLayer(frozen.layers(), frozen.frozen(), false));
    } finally {
      applying.unlock();
    }
  }

  /// Merges committed layers into the main space, the oldest first, until there are none; unless
  /// another thread does so already.
  private void merge() {
    int committed = state.layers().committedCount();
    if (committed > LAYERS_MAX) {
      merging.lock(); // commits come faster than they can be merged
    } else if (committed == 0 || !merging.tryLock()) {
      return;
    }
    try {
      for (int i = 0; i < MERGES_MAX && mergeOldest(); i++) {
        // The next is mostly smaller: the commits of the time that this one took.
      }
    } catch (VarveException e) {
      // The commit is in effect, so the caller has not failed: the next call meets the failure.
      System.getLogger(Levels.class.getName())
          .log(System.Logger.Level.DEBUG, "merging a layer broke off: items=" + main.name(), e);
    } finally {
      merging.unlock();
    }
  }

  /// @return whether there was one
  private boolean mergeOldest() {
    Layer oldest = takeOutOldest();
    if (oldest == null) {
      return false;
    }
    oldest.release(); // without the lock, since that may wait for a checkpoint
    return true;
  }

  /// @return the layer that was merged and taken away; null if there was none
  private @Nullable Layer takeOutOldest() {
    Layer oldest;
    applying.lock();
    try {
      Layers below = state.layers();
      if (below.committedCount() == 0) {
        return null;
      }
      oldest = below.oldest();
      replaceLayers(below.merges());
      if (oldest.isSmall()) {
        // With commits shut out, so that they need no further layer.
        oldest.mergeInto(main);
        replaceLayers(state.layers().merged());
        return oldest;
      }
    } finally {
      applying.unlock();
    }
    oldest.mergeInto(main);
    applying.lock();
    try {
      replaceLayers(state.layers().merged());
    } finally {
      applying.unlock();
    }
    return oldest;
  }

  private void replaceLayers(Layers below) {
    changing.lock();
    try {
      ItemState now = state;
      state = new ItemState(now.open(), now.frozen(), below);
    } finally {
      changing.unlock();
    }
  }

  // --- rollback -------------------------------------------------------------------------------

  /// Drops the open changes.
  void rollback() {
    Layer dropped;
    applying.lock();
    try {
      while (true) {
        requireOpen();
        changing.lock();
        try {
          if (!group.isWanted()) {
            ItemState now = state;
            dropped = now.layers().uncommitted();
            state = new ItemState(Overlay.EMPTY, Overlay.EMPTY, now.layers().withoutUncommitted());
            break;
          }
        } finally {
          changing.unlock();
        }
        commitOpen(); // for threads that have asked for it, and wait for the lock
      }
    } finally {
      applying.unlock();
    }
    if (dropped != null) {
      dropped.release();
    }
  }
}
