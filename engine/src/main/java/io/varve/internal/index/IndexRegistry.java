package io.varve.internal.index;

import io.varve.Commit;
import io.varve.CorruptStoreException;
import io.varve.ReadView;
import io.varve.Snapshot;
import io.varve.StoreBusyException;
import io.varve.UniqueIndexException;
import io.varve.VarveException;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.OrderedLock;
import io.varve.internal.lock.StoreLocks;
import io.varve.internal.page.MalformedImageException;
import io.varve.internal.txn.AloneRun;
import io.varve.internal.txn.IndexNames;
import io.varve.internal.txn.LiveSpace;
import io.varve.internal.txn.SpaceCore;
import io.varve.internal.txn.Spaces;
import io.varve.internal.txn.StoreTransaction;
import io.varve.internal.txn.Transactor;
import io.varve.spi.SpaceIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The indexes of the spaces of a store.
///
/// Safe for any number of threads.
public final class IndexRegistry {
  private final Spaces spaces;
  private final Transactor transactor;
  private final Consumer<String> drop;
  private final boolean readOnly;
  private final StoreThreads threads;

  /// Held while an index is made, renamed or dropped.
  private final OrderedLock lock;

  /// From which commit on an index that was built in this life is complete, by the id of the space
  /// with its entries. One that is not here was built before.
  private final Map<Integer, Long> completeSince = new ConcurrentHashMap<>();

  /// The builds under way, by the id of the space with the entries.
  private final Map<Integer, Build> builds = new ConcurrentHashMap<>();

  /// Why indexes were dropped whose builds failed: for other threads that hold their spaces still.
  private final Map<SpaceCore, UniqueIndexException> violations =
      Collections.synchronizedMap(new WeakHashMap<>());

  /// Makes what keeps the indexes of a store.
  ///
  /// @param drop drops a space by its name
  /// @param readOnly whether none is made or built
  /// @param locks of the store
  /// @param threads that builds use
  public IndexRegistry(
      Spaces spaces,
      Transactor transactor,
      Consumer<String> drop,
      boolean readOnly,
      StoreLocks locks,
      StoreThreads threads) {
    this.spaces = spaces;
    this.transactor = transactor;
    this.drop = drop;
    this.readOnly = readOnly;
    this.threads = threads;
    this.lock = new OrderedLock(locks, LockOrder.INDEXES);
  }

  Transactor transactor() {
    return transactor;
  }

  StoreThreads threads() {
    return threads;
  }

  /// The space with the entries of an index, or null.
  @Nullable LiveSpace entries(LiveSpace space, String index) {
    Integer id = space.core().indexes().entries(index);
    return id == null ? null : spaces.find(id);
  }

  /// The space with the entries of an index of that definition, or null: the index of its name, or
  /// one that was renamed after the program gave the definition.
  private @Nullable LiveSpace known(LiveSpace space, SpaceIndex index, String id) {
    LiveSpace present = entries(space, index.name());
    if (present != null && isOf(present, id, index.isUnique())) {
      return present;
    }
    for (String name : space.core().indexes().all().keySet()) {
      SpaceIndex definition = space.core().indexes().definition(name);
      if (definition != null && definition.name().equals(index.name())) {
        LiveSpace renamed = entries(space, name);
        if (renamed != null && isOf(renamed, id, index.isUnique())) {
          return renamed;
        }
      }
    }
    return null;
  }

  /// The space with the entries of an index that was written with this definition, and renamed in
  /// an earlier life; or null. No definition was given for it in this one.
  ///
  /// @param names that the program gives indexes, each of which is for its own definition
  private @Nullable LiveSpace unkept(
      LiveSpace space, SpaceIndex index, String id, List<String> names) {
    for (String name : space.core().indexes().all().keySet()) {
      LiveSpace entries = names.contains(name) ? null : entries(space, name);
      if (entries != null
          && space.core().indexes().definition(name) == null
          && state(entries).isGiven(index.name())
          && isOf(entries, id, index.isUnique())) {
        return entries;
      }
    }
    return null;
  }

  /// Runs a change of the indexes of a space, while no other thread changes any or runs alone over
  /// the space (ALONE-4). The space is reserved before the lock is taken: a body that runs alone
  /// may open an index, too. So are the entries of an index that goes: a body that runs alone over
  /// them alone is waited for without the lock, which changes of all other indexes need.
  ///
  /// @param dropped gives the space with those entries, or null, once the indexes of the space are
  ///   reserved
  private <T> T changing(
      LiveSpace space, Supplier<@Nullable LiveSpace> dropped, Supplier<T> change) {
    try (AloneRun reserved = spaces.reserve(space.core())) {
      LiveSpace entries = dropped.get();
      if (entries != null) {
        reserved.await(entries.core());
      }
      lock.lock();
      try {
        return change.get();
      } finally {
        lock.unlock();
      }
    }
  }

  /// Makes an index if there is none of its definition, under its name or one that a rename gave.
  /// One of its name, but of another definition, is dropped.
  ///
  /// @param names of all indexes that the program defines with this one
  /// @return the space with its entries
  @SuppressWarnings("ReferenceEquality") // another object may define another index
  LiveSpace make(LiveSpace space, SpaceIndex index, String id, List<String> names) {
    LiveSpace present = entries(space, index.name());
    return present != null
            && space.core().indexes().definition(index.name()) == index
            && isOf(present, id, index.isUnique())
        ? present // given before: nothing changes
        : changing(
            space,
            () -> replaced(space, index, found(space, index, id, names)),
            () -> makeAlone(space, index, id, names));
  }

  private @Nullable LiveSpace found(
      LiveSpace space, SpaceIndex index, String id, List<String> names) {
    LiveSpace known = known(space, index, id);
    return known == null ? unkept(space, index, id, names) : known;
  }

  /// The space with the entries of an index that has the name of another definition, or null.
  ///
  /// @param found the entries of that definition, or null
  private @Nullable LiveSpace replaced(
      LiveSpace space, SpaceIndex index, @Nullable LiveSpace found) {
    LiveSpace present = entries(space, index.name());
    return present == null
            || readOnly
            || (found != null && present.core().id() == found.core().id())
        ? null
        : present;
  }

  private LiveSpace makeAlone(LiveSpace space, SpaceIndex index, String id, List<String> names) {
    String name = index.name();
    LiveSpace found = found(space, index, id, names);
    if (found == null && readOnly) {
      throw new IllegalStateException(
          "the store has no such index, and is open for reading alone: space="
              + space.name()
              + ", index="
              + name
              + "; open it for writing once, which builds the index");
    }
    LiveSpace replaced = replaced(space, index, found);
    if (replaced != null) {
      drop.accept(replaced.name());
    }
    if (found != null) {
      space.core().indexes().define(IndexNames.index(found.name()), index);
      return found;
    }
    spaces.makeIndex(space.core(), index, id, new IndexState(index.isUnique(), false, "").words());
    LiveSpace made = entries(space, name);
    if (made == null) { // a drop of a space begins with its indexes, and does not take the lock
      throw new IllegalStateException(
          "the space is being dropped: space=" + space.name() + ", index=" + name);
    }
    return made;
  }

  private static boolean isOf(LiveSpace entries, String id, boolean isUnique) {
    return entries.core().definition().keyCodec().equals(id)
        && state(entries).isUnique() == isUnique;
  }

  /// The space in which an index is built, made if there is none: from then on commits note in it
  /// which entries go (WORKSPACE-1).
  LiveSpace workspace(LiveSpace entries) {
    return spaces.makeWorkspace(entries.core());
  }

  /// Drops the space in which an index is built, if there is one. For the thread that builds it, or
  /// once it is built.
  void dropWorkspace(LiveSpace entries) {
    Integer id = entries.core().indexes().workspace();
    LiveSpace workspace = id == null ? null : spaces.find(id);
    if (workspace != null) {
      drop.accept(workspace.name());
    }
  }

  static IndexState state(LiveSpace entries) {
    return IndexState.of(entries.core().definition());
  }

  /// Builds indexes, unless that is done, and drops their workspaces, which a crash may have left;
  /// waits for other threads that build some of them (BUILD-3).
  ///
  /// @param indexes the spaces with the entries
  /// @param building builds those that no other thread builds
  void build(LiveSpace space, Collection<LiveSpace> indexes, Consumer<List<LiveSpace>> building) {
    List<LiveSpace> unbuilt = unbuilt(indexes);
    while (!unbuilt.isEmpty()) {
      buildOrAwait(space, unbuilt, building);
      unbuilt = unbuilt(unbuilt);
    }
    if (!readOnly) {
      indexes.forEach(entries -> attempt(space, entries, () -> dropWorkspace(entries)));
    }
  }

  private List<LiveSpace> unbuilt(Collection<LiveSpace> indexes) {
    return indexes.stream().filter(entries -> !readOnly && !state(entries).isBuilt()).toList();
  }

  /// A step of the build of an index. An index of values that are not unique is dropped, and each
  /// thread that built it or waited learns why.
  ///
  /// @throws CorruptStoreException if the workspace makes no sense
  void attempt(LiveSpace space, LiveSpace entries, Runnable step) {
    try {
      step.run();
    } catch (UniqueIndexException e) {
      violations.putIfAbsent(entries.core(), e);
      drop(space, entries);
      throw e;
    } catch (MalformedImageException e) {
      throw new CorruptStoreException(
          "unfinished index makes no sense though its checksums are right: space="
              + space.name()
              + ", index="
              + IndexNames.index(entries.name())
              + ", fact="
              + e.getMessage()
              + "; drop the index, and keep it again",
          e);
    } catch (IllegalStateException e) {
      UniqueIndexException violation = violations.get(entries.core());
      if (violation == null) {
        throw isDropped(entries) ? dropped("built", space, entries, e) : e;
      }
      throw new UniqueIndexException(
          space.name(), violation.index(), violation.key(), violation.presentKey());
    }
  }

  /// Whether an index that is being built was dropped: its workspace goes first.
  static boolean isDropped(LiveSpace entries) {
    return entries.core().isDropped() || entries.core().indexes().workspace() == null;
  }

  /// In place of a message with the name of a space that no user knows.
  static IllegalStateException dropped(
      String activity, LiveSpace space, LiveSpace entries, IllegalStateException cause) {
    return new IllegalStateException(
        "the index was dropped while it was "
            + activity
            + ": space="
            + space.name()
            + ", index="
            + IndexNames.index(entries.name()),
        cause);
  }

  private void buildOrAwait(
      LiveSpace space, List<LiveSpace> unbuilt, Consumer<List<LiveSpace>> building) {
    Build mine = new Build();
    List<LiveSpace> claimed = new ArrayList<>();
    for (LiveSpace entries : unbuilt) {
      if (builds.putIfAbsent(entries.core().id(), mine) == null) {
        claimed.add(entries);
      }
    }
    if (claimed.isEmpty()) { // or else others would wait for this thread, which waits for them
      LiveSpace first = unbuilt.getFirst();
      Build other = builds.get(first.core().id());
      if (other != null) {
        requireCommits(space, first);
        other.await(IndexNames.index(first.name()));
      }
      return; // to look again: it may have been broken off
    }
    try {
      building.accept(unbuilt(claimed)); // another thread may have built some by then
    } finally {
      claimed.forEach(entries -> builds.remove(entries.core().id()));
      mine.done.complete(true);
    }
  }

  /// Requires that the calling thread does not run alone over what the build of another thread
  /// commits to: each would wait for the other one (BUILD-3).
  private static void requireCommits(LiveSpace space, LiveSpace entries) {
    if (space.core().isReservedHere() || entries.core().isReservedHere()) {
      throw new StoreBusyException(
          "another thread builds the index, and waits for the transaction of the calling thread,"
              + " which runs alone: space="
              + space.name()
              + ", index="
              + IndexNames.index(entries.name())
              + "; nothing was written; keep indexes outside of transactions, or run this one again"
              + " after the build");
    }
  }

  private static final class Build {
    private final Thread thread = Thread.currentThread();
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();

    void await(String index) {
      if (thread.equals(Thread.currentThread())) {
        throw new IllegalStateException(
            "the calling thread builds the index already, and would wait for itself: index="
                + index
                + "; keep indexes outside of the progress listener of a build");
      }
      boolean _ = done.join();
    }
  }

  /// Notes that an index has the entries of the whole space.
  void built(LiveSpace entries) {
    int id = entries.core().id();
    completeSince.put(id, Long.MAX_VALUE);
    Commit commit =
        spaces.redefineIndex(entries.core(), seen -> IndexState.of(seen).built().words());
    if (commit != null) {
      completeSince.put(id, commit.lsn());
    }
  }

  boolean isComplete(LiveSpace entries, ReadView view) {
    if (!state(entries).isBuilt()) {
      return false;
    }
    long since = completeSince.getOrDefault(entries.core().id(), 0L);
    Commit read =
        switch (view) {
          case Snapshot snapshot -> snapshot.lastCommit();
          case StoreTransaction transaction -> transaction.readCommit();
          default -> throw new IllegalArgumentException("the view belongs to another store");
        };
    return read.lsn() >= since;
  }

  private boolean isReadable(LiveSpace entries, ReadView view) {
    // Asked last: a drop forgets since when it was complete.
    return isComplete(entries, view) && !entries.core().isDropped();
  }

  /// The space with the entries of an index of that definition, or null if the view cannot read it.
  @Nullable LiveSpace entries(LiveSpace space, SpaceIndex index, ReadView view) {
    LiveSpace entries = known(space, index, index.id());
    if (entries == null || !isReadable(entries, view)) {
      return null;
    }
    // A transaction that changed the space before there was the index has no entries of its own.
    boolean isKept =
        !(view instanceof StoreTransaction transaction)
            || transaction.keeps(space, entries.core().id());
    return isKept ? entries : null;
  }

  /// Compares all indexes whose definitions the program has given with their spaces, and finds
  /// entries of indexes that no space has.
  ///
  /// @return the faults found
  public List<String> verify(Snapshot snapshot) {
    List<String> faults = new ArrayList<>();
    for (SpaceCore stray : spaces.registry().strayIndexes()) {
      faults.add(
          "no space has the index that these entries are of: index="
              + IndexNames.index(stray.name())
              + ", indexedSpaceId="
              + IndexNames.indexedSpace(stray.name())
              + ", spaceId="
              + stray.id()
              + "; a salvage leaves them out");
    }
    for (SpaceCore core : spaces.registry().all()) {
      LiveSpace space = spaces.find(core.id());
      for (String name : core.indexes().all().keySet()) {
        SpaceIndex index = core.indexes().definition(name);
        if (space == null || index == null) {
          continue;
        }
        LiveSpace entries = entries(space, name);
        if (entries != null
            && isOf(entries, index.id(), index.isUnique())
            && isReadable(entries, snapshot)) {
          faults.addAll(faults(space, entries, index, snapshot));
        }
      }
    }
    return faults;
  }

  private static List<String> faults(
      LiveSpace space, LiveSpace entries, SpaceIndex index, Snapshot snapshot) {
    try {
      return new IndexVerifier(space, entries, index).verify(snapshot);
    } catch (VarveException e) {
      throw e;
    } catch (RuntimeException e) {
      // What one definition throws is no reason to be silent about all others.
      return entries.core().isDropped() || space.core().isDropped()
          ? List.of()
          : List.of(notCompared(space, entries, e));
    }
  }

  private static String notCompared(LiveSpace space, LiveSpace entries, RuntimeException cause) {
    return "the definition of the index refused an entry of the space: space="
        + space.name()
        + ", index="
        + IndexNames.index(entries.name())
        + ", cause="
        + cause.getClass().getName()
        + "; IndexedSpace.verify throws that cause";
  }

  boolean drop(LiveSpace space, String index) {
    return entries(space, index) != null
        && changing(
            space,
            () -> entries(space, index),
            () -> {
              LiveSpace entries = entries(space, index);
              return entries != null && drop(space, entries);
            });
  }

  /// Drops that index, and no other one that has its name by now.
  private boolean drop(LiveSpace space, LiveSpace entries) {
    return changing(
        space,
        () -> entries,
        () -> {
          int id = entries.core().id();
          boolean isThere = space.core().indexes().all().containsValue(id);
          if (isThere) {
            drop.accept(entries.name()); // renames take the lock: it is the one of that name
            completeSince.remove(id);
          }
          return isThere;
        });
  }

  boolean rename(LiveSpace space, String index, String newName) {
    return entries(space, index) != null
        && changing(
            space,
            () -> null,
            () ->
                entries(space, index) != null
                    && spaces.renameIndex(
                        space.core(),
                        index,
                        newName,
                        seen -> renamed(space, index, newName, IndexState.of(seen)).words()));
  }

  /// What the store remembers of an index that it gives a new name: that of the program too.
  private static IndexState renamed(
      LiveSpace space, String index, String newName, IndexState seen) {
    SpaceIndex definition = space.core().indexes().definition(index);
    if (definition == null) {
      return seen.isGiven(newName)
          ? seen.named()
          : seen.given().isEmpty() ? seen.given(index) : seen;
    }
    String name = definition.name();
    return name.equals(newName) ? seen.named() : seen.given(name);
  }
}
