package io.varve.internal.txn;

import io.varve.Commit;
import io.varve.Space;
import io.varve.Store;
import io.varve.internal.cache.Pages;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StackProbe;
import io.varve.internal.file.SpaceDefinition;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.OrderedLock;
import io.varve.internal.page.Node;
import io.varve.internal.tree.Tree;
import io.varve.internal.wal.RecordSink;
import io.varve.spi.SpaceIndex;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The spaces of an open store, by name and by id. Making and dropping one is a commit.
public final class Spaces {
  /// The longest name, in characters.
  public static final int NAME_LENGTH_MAX = 200;

  private final Store store;
  private final Pages pages;
  private final Committer committer;
  private final ValueWriter values;
  private final IndexedWrite indexed;
  private final Clock clock;
  private final OrderedLock lock;
  private final Map<String, LiveSpace> byName = new ConcurrentHashMap<>();
  private final Map<Integer, LiveSpace> byId = new ConcurrentHashMap<>();

  /// Guarded by the lock; read while commits are shut out.
  private int nextId = 1;

  private final DroppedSpaces dropped;

  /// Makes an empty registry.
  public Spaces(Store store, Pages pages, Committer committer, ValueWriter values, Clock clock) {
    this.store = store;
    this.pages = pages;
    this.committer = committer;
    this.values = values;
    this.indexed = new IndexedWrite(committer, this::find);
    this.clock = clock;
    this.dropped = new DroppedSpaces(committer);
    this.lock = new OrderedLock(pages.file().locks(), LockOrder.REGISTRY);
  }

  /// Adds a space that a checkpoint names, on opening.
  public void restore(int id, SpaceDefinition definition, Node root, long epoch) {
    SpaceCore space = core(id, definition, new Tree(pages, clock, root, epoch));
    if (DroppedSpaces.isDropped(id, definition.name())) {
      nextId(id + 1);
      dropped(space);
    } else {
      add(space);
    }
  }

  private SpaceCore core(int id, SpaceDefinition definition, Tree tree) {
    return new SpaceCore(id, definition, tree, committer.epochs(), committer.lifecycle());
  }

  private void dropped(SpaceCore space) {
    space.drop();
    dropped.add(space);
  }

  /// The spaces that were dropped and whose trees are not removed yet.
  public DroppedSpaces dropped() {
    return dropped;
  }

  /// Makes a space that the log names, on opening.
  public void replayCreate(int id, String name, long epoch) {
    SpaceDefinition definition = SpaceDefinition.of(name);
    add(core(id, definition, Tree.empty(pages, clock, epoch)));
  }

  /// Changes what is known of a space, as the log says, on opening.
  public void replayDefine(int id, SpaceDefinition definition) {
    LiveSpace space = byId.get(id);
    if (space == null) {
      throw new IllegalStateException("unknown space: id=" + id);
    }
    define(space, definition);
  }

  private void define(LiveSpace space, SpaceDefinition definition) {
    String before = space.name();
    space.core().define(definition);
    byName.put(definition.name(), space);
    if (!before.equals(definition.name())) {
      byName.remove(before, space);
      if (IndexNames.isIndex(before)) {
        SpaceCore of = find(IndexNames.indexedSpace(before));
        if (of != null) {
          of.indexes().renamed(IndexNames.index(before), IndexNames.index(definition.name()));
        }
      }
    }
  }

  /// Drops a space that the log names, on opening.
  public void replayDrop(int id) {
    LiveSpace space = byId.get(id);
    if (space != null) {
      remove(space.core());
      dropped(space.core());
    }
  }

  /// Sets the id that the next space gets, on opening.
  public void nextId(int id) {
    nextId = Math.max(nextId, id);
  }

  public int nextId() {
    return nextId;
  }

  private LiveSpace add(SpaceCore space) {
    LiveSpace live =
        new LiveSpace(space, store, committer, values, indexed, committer.defaultDurability());
    if (IndexNames.isIndex(space.name())) {
      SpaceCore of = find(IndexNames.indexedSpace(space.name()));
      if (of != null) { // INDEXES-1
        of.indexes().added(IndexNames.index(space.name()), space.id());
      }
    }
    byName.put(space.name(), live);
    byId.put(space.id(), live);
    nextId(space.id() + 1);
    return live;
  }

  private void remove(SpaceCore space) {
    byName.remove(space.name());
    byId.remove(space.id());
    if (IndexNames.isIndex(space.name())) {
      SpaceCore of = find(IndexNames.indexedSpace(space.name()));
      if (of != null) {
        of.indexes().removed(IndexNames.index(space.name()));
      }
    }
  }

  /// The space of that name, or null.
  public @Nullable LiveSpace find(String name) {
    return byName.get(name);
  }

  /// The space of that id, or null.
  public @Nullable SpaceCore find(int id) {
    LiveSpace space = byId.get(id);
    return space == null ? null : space.core();
  }

  /// A space that a user gave, as this store has it.
  ///
  /// @throws IllegalArgumentException if it belongs to another store
  public LiveSpace require(Space space) {
    LiveSpace live = byId.get(SpaceHandle.coreOf(space, store).id());
    if (live == null) {
      throw new IllegalStateException("the space was dropped: space=" + space.name());
    }
    return live;
  }

  /// All spaces now.
  public List<SpaceCore> all() {
    List<SpaceCore> now = new ArrayList<>();
    byId.values().forEach(space -> now.add(space.core()));
    return now;
  }

  /// The names of all spaces that users made, in order.
  public SortedSet<String> names() {
    SortedSet<String> names = new TreeSet<>(byName.keySet());
    names.removeIf(IndexNames::isIndex);
    return names;
  }

  /// The space of that name, made durably if there is none.
  public LiveSpace findOrCreate(String name) {
    LiveSpace present = byName.get(name);
    return present == null || IndexNames.isIndex(name)
        ? findOrCreate(SpaceDefinition.of(name))
        : present;
  }

  /// The space of the name that `definition` has, made so if there is none.
  LiveSpace findOrCreate(SpaceDefinition definition) {
    String name = definition.name();
    LiveSpace present = byName.get(name);
    if (present != null && !IndexNames.isIndex(name)) {
      return present;
    }
    requireName(name);
    return make(definition, null);
  }

  /// Makes the space of an index, whose entries the commits of the indexed space keep from then on.
  ///
  /// @param indexed a space of this store
  /// @param id of the definition
  /// @param words what else the store remembers of the index
  public void makeIndex(SpaceCore indexed, SpaceIndex index, String id, String words) {
    indexed.indexes().define(index); // before there is a space with its entries: INDEXES-1
    make(new SpaceDefinition(IndexNames.name(indexed.id(), index.name()), id, words), indexed);
  }

  /// Gives an index another name.
  ///
  /// @return whether there was one
  /// @throws IllegalArgumentException if another one has that name
  public boolean renameIndex(SpaceCore indexed, String index, String newName) {
    return rename(IndexNames.name(indexed.id(), index), IndexNames.name(indexed.id(), newName));
  }

  /// @param indexed the space that it has the index entries of, or null
  private LiveSpace make(SpaceDefinition definition, @Nullable SpaceCore indexed) {
    String name = definition.name();
    StackProbe.require();
    LiveSpace present;
    Creation creation;
    long commit;
    lock.lock();
    try {
      present = byName.get(name);
      if (present != null) {
        return present;
      }
      if (indexed != null) {
        indexed.requireUsable(); // A space is not dropped before its indexes are.
      }
      creation = new Creation(nextId, definition);
      commit = committer.applyDefinition(creation);
    } finally {
      lock.unlock();
    }
    committer.await(commit, committer.defaultDurability());
    return creation.space();
  }

  private static void requireName(String name) {
    if (name.isEmpty() || name.length() > NAME_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "space name out of range: length=" + name.length() + ", max=" + NAME_LENGTH_MAX);
    }
    if (DroppedSpaces.isReserved(name) || IndexNames.isIndex(name)) {
      throw new IllegalArgumentException(
          "space name is reserved for spaces that were dropped, and for indexes: name="
              + name.replace('\0', '?')
              + "; choose another");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      throw new IllegalArgumentException(
          "space name is no text: it holds half of a surrogate pair; name=" + name);
    }
  }

  /// Whether the calling thread makes a space, or runs a transaction alone.
  public boolean isAlone() {
    return lock.isHeldByCurrentThread()
        || byId.values().stream().anyMatch(space -> space.core().writeLock().isReservedHere());
  }

  private final class Creation implements DefinitionChange {
    private final int id;
    private final SpaceDefinition definition;
    private final byte[] nameBytes;
    private @Nullable LiveSpace space;

    Creation(int id, SpaceDefinition definition) {
      this.id = id;
      this.definition = definition;
      this.nameBytes = definition.name().getBytes(StandardCharsets.UTF_8);
    }

    LiveSpace space() {
      LiveSpace made = space;
      if (made == null) {
        throw new IllegalStateException("the space was not made");
      }
      return made;
    }

    @Override
    public long bodyBytes() {
      long bytes = LogRecord.createSpaceBytes(id, nameBytes);
      return definition.isTable() ? bytes + LogRecord.defineSpaceBytes(id, definition) : bytes;
    }

    @Override
    public void apply(long epoch) {
      space = add(core(id, definition, Tree.empty(pages, clock, epoch)));
    }

    @Override
    public void write(RecordSink sink) {
      LogRecord.createSpace(sink, id, nameBytes);
      if (definition.isTable()) {
        LogRecord.defineSpace(sink, id, definition);
      }
    }
  }

  /// Changes what is known of a space, durably, if it still is what the caller saw.
  ///
  /// @return whether it was
  /// @throws IllegalArgumentException if it gets a name that it cannot have, or another space has
  public boolean define(SpaceCore space, SpaceDefinition seen, SpaceDefinition changed) {
    boolean renamed = !seen.name().equals(changed.name());
    if (renamed && !IndexNames.isIndex(seen.name())) {
      requireName(changed.name());
    }
    StackProbe.require();
    long commit;
    lock.lock();
    try {
      LiveSpace present = byId.get(space.id());
      if (present == null || !space.definition().equals(seen)) {
        return false;
      }
      if (renamed && byName.containsKey(changed.name())) {
        throw new IllegalArgumentException(
            "another space has that name: name=" + changed.name() + "; drop or rename it first");
      }
      commit = committer.applyDefinition(new Definition(present, changed));
    } finally {
      lock.unlock();
    }
    committer.await(commit, committer.defaultDurability());
    return true;
  }

  /// Changes what the store remembers of an index.
  ///
  /// @param space the one with its entries
  /// @return the commit, or null if the index was dropped
  public @Nullable Commit redefineIndex(SpaceCore space, String words) {
    while (true) {
      SpaceDefinition seen = space.definition();
      if (define(space, seen, new SpaceDefinition(seen.name(), seen.keyCodec(), words))) {
        return new Commit(committer.order().lastCommit());
      }
      if (find(space.id()) == null) {
        return null;
      }
    }
  }

  /// Gives a space another name.
  ///
  /// @return whether there was one
  public boolean rename(String name, String newName) {
    while (true) {
      LiveSpace named = byName.get(name);
      if (named == null) {
        return false;
      }
      SpaceCore space = named.core();
      SpaceDefinition seen = space.definition();
      if (seen.name().equals(name) && define(space, seen, seen.renamed(newName))) {
        return true;
      }
    }
  }

  /// Changes what is known of a space of this store, whatever was known, for the thread that fills
  /// it alone.
  public void redefine(Space space, SpaceDefinition changed) {
    SpaceCore core = SpaceHandle.coreOf(space, store);
    define(core, core.definition(), changed);
  }

  private final class Definition implements DefinitionChange {
    private final LiveSpace space;
    private final SpaceDefinition changed;

    Definition(LiveSpace space, SpaceDefinition changed) {
      this.space = space;
      this.changed = changed;
    }

    @Override
    public long bodyBytes() {
      return LogRecord.defineSpaceBytes(space.core().id(), changed);
    }

    @Override
    public void apply(long epoch) {
      define(space, changed);
    }

    @Override
    public void write(RecordSink sink) {
      LogRecord.defineSpace(sink, space.core().id(), changed);
    }
  }

  /// Drops a space: its tree is removed after the commit ([DroppedSpaces]).
  ///
  /// @return whether there was one
  public boolean drop(String name) {
    while (true) {
      LiveSpace named = byName.get(name);
      if (named == null) {
        return false;
      }
      SpaceCore space = named.core();
      dropIndexes(space);
      committer.aloneRuns().awaitFree(space.writeLock());
      Removal removal = new Removal(space);
      long commit = tryDrop(removal, name);
      if (commit == CommitOutcome.NO_ROOM) {
        // Outside of the locks: it takes a checkpoint to make room.
        committer.awaitRoom(removal.bodyBytes(), /* grows= */ false);
      } else if (CommitOutcome.isLsn(commit)) {
        committer.await(commit, committer.defaultDurability());
        return true;
      }
    }
  }

  private void dropIndexes(SpaceCore space) {
    for (int id : space.indexes().all().values()) {
      SpaceCore entries = find(id);
      if (entries != null) {
        drop(entries.name());
      }
    }
  }

  private long tryDrop(Removal removal, String name) {
    SpaceCore space = removal.space;
    StackProbe.require();
    lock.lock();
    try {
      if (!space.writeLock().lock()) {
        return CommitOutcome.RESERVED_BY_ANOTHER;
      }
      try {
        LiveSpace present = byName.get(name);
        if (present == null || present.core() != space) { // or renamed it
          return CommitOutcome.DROPPED_BY_ANOTHER;
        }
        return space.indexes().all().isEmpty()
            ? committer.tryApplyDefinition(removal)
            : CommitOutcome.INDEXED;
      } finally {
        space.writeLock().unlock();
      }
    } finally {
      lock.unlock();
    }
  }

  private final class Removal implements DefinitionChange {
    private final SpaceCore space;

    Removal(SpaceCore space) {
      this.space = space;
    }

    @Override
    public long bodyBytes() {
      return LogRecord.dropSpaceBytes(space.id());
    }

    @Override
    public void apply(long epoch) {
      remove(space);
      dropped(space);
    }

    @Override
    public void write(RecordSink sink) {
      LogRecord.dropSpace(sink, space.id());
    }
  }
}
