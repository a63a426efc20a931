package io.varve.internal.txn;

import io.varve.Commit;
import io.varve.Space;
import io.varve.Store;
import io.varve.internal.disk.StackProbe;
import io.varve.internal.file.SpaceDefinition;
import io.varve.internal.wal.RecordSink;
import io.varve.spi.SpaceIndex;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The spaces of an open store as users find, make, rename and drop them. Each change is a commit
/// to the [SpaceRegistry].
public final class Spaces {
  /// The longest name, in characters.
  public static final int NAME_LENGTH_MAX = 200;

  private final Store store;
  private final SpaceRegistry registry;
  private final Committer committer;
  private final ValueWriter values;
  private final IndexedWrite indexed;

  /// What users hold, by id: one object for each space that is in the registry.
  private final Map<Integer, LiveSpace> live = new ConcurrentHashMap<>();

  /// Makes the spaces of a store.
  public Spaces(Store store, SpaceRegistry registry, Committer committer, ValueWriter values) {
    this.store = store;
    this.registry = registry;
    this.committer = committer;
    this.values = values;
    this.indexed = new IndexedWrite(committer, registry::find);
  }

  /// The spaces as commits and checkpoints know them.
  public SpaceRegistry registry() {
    return registry;
  }

  private LiveSpace live(SpaceCore space) {
    LiveSpace present = live.get(space.id());
    return present == null ? made(space) : present;
  }

  /// Makes what users hold of a space. It is not kept for a space that was dropped: a drop takes
  /// the space out of the registry before it looks here.
  private LiveSpace made(SpaceCore space) {
    LiveSpace made =
        new LiveSpace(
            space,
            store,
            committer,
            new PendingChanges(space, committer, values, indexed),
            committer.defaultDurability());
    LiveSpace kept =
        live.computeIfAbsent(space.id(), id -> registry.find(id) == null ? null : made);
    return kept == null ? made : kept;
  }

  /// The space of that name, or null.
  public @Nullable LiveSpace find(String name) {
    SpaceCore present = registry.find(name);
    return present == null ? null : live(present);
  }

  /// The space of that id, or null.
  public @Nullable LiveSpace find(int id) {
    SpaceCore present = registry.find(id);
    return present == null ? null : live(present);
  }

  /// A space that a user gave, as this store has it.
  ///
  /// @throws IllegalArgumentException if it belongs to another store
  public LiveSpace require(Space space) {
    SpaceCore present = registry.find(SpaceHandle.coreOf(space, store).id());
    if (present == null) {
      throw new IllegalStateException("the space was dropped: space=" + space.name());
    }
    return live(present);
  }

  /// The names of all spaces that users made, in order. It asks each space for its name: an order
  /// of names could pass a space that is renamed, and a copy of it reads past its end after a drop.
  public SortedSet<String> names() {
    SortedSet<String> names = new TreeSet<>();
    for (SpaceCore space : registry.all()) {
      String name = space.name();
      if (!IndexNames.isIndex(name)) {
        names.add(name);
      }
    }
    return names;
  }

  /// The names of all spaces from one on, those of indexes included: a view, in order.
  public SortedSet<String> namesFrom(String first) {
    return registry.names().tailSet(first);
  }

  /// The space of that name, made durably if there is none.
  public LiveSpace findOrCreate(String name) {
    SpaceCore present = registry.find(name);
    return present == null || IndexNames.isIndex(name)
        ? findOrCreate(SpaceDefinition.of(name))
        : live(present);
  }

  /// The space of the name that `definition` has, made so if there is none.
  LiveSpace findOrCreate(SpaceDefinition definition) {
    String name = definition.name();
    SpaceCore present = registry.find(name);
    if (present != null && !IndexNames.isIndex(name)) {
      return live(present);
    }
    requireName(name);
    return live(make(definition, null));
  }

  /// Makes the space of an index, whose entries the commits of the indexed space keep from then on.
  ///
  /// @param indexed a space of this store, reserved by the caller
  /// @param id of the definition
  /// @param words what else the store remembers of the index
  public void makeIndex(SpaceCore indexed, SpaceIndex index, String id, String words) {
    indexed.indexes().define(index.name(), index); // before there is a space: INDEXES-1
    make(new SpaceDefinition(IndexNames.name(indexed.id(), index.name()), id, words), indexed);
  }

  /// Reserves a space for a change of its indexes (ALONE-4). The caller holds no lock of the store:
  /// a body that runs alone, and is waited for here, may need it.
  ///
  /// @throws io.varve.StoreBusyException if that takes too long
  public AloneRun reserve(SpaceCore indexed) {
    return AloneRun.begin(committer.aloneRuns(), "a change of indexes", List.of(indexed));
  }

  /// Makes the workspace in which an index is built, if there is none.
  ///
  /// @param entries the space with the entries of the index
  public LiveSpace makeWorkspace(SpaceCore entries) {
    String name = IndexNames.name(entries.id(), IndexWorkspace.NAME);
    try (AloneRun _ = reserve(entries)) {
      return live(make(SpaceDefinition.of(name), entries));
    }
  }

  /// Gives an index another name.
  ///
  /// @param indexed reserved by the caller
  /// @param words what else the store remembers of the index then, by its definition so far
  /// @return whether there was one
  /// @throws IllegalArgumentException if another one has that name
  public boolean renameIndex(
      SpaceCore indexed, String index, String newName, Function<SpaceDefinition, String> words) {
    String name = IndexNames.name(indexed.id(), newName);
    return rename(
        IndexNames.name(indexed.id(), index),
        seen -> new SpaceDefinition(name, seen.keyCodec(), words.apply(seen)));
  }

  /// @param indexed the space that it has the index entries of, or null
  private SpaceCore make(SpaceDefinition definition, @Nullable SpaceCore indexed) {
    String name = definition.name();
    StackProbe.require();
    Creation creation;
    long commit;
    registry.lock().lock();
    try {
      SpaceCore present = registry.find(name);
      if (present != null) {
        return present;
      }
      if (indexed != null) {
        indexed.requireUsable(); // A space is not dropped before its indexes are.
      }
      creation = new Creation(registry.nextId(), definition);
      commit = committer.applyDefinition(creation);
    } finally {
      registry.lock().unlock();
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

  private final class Creation implements DefinitionChange {
    private final int id;
    private final SpaceDefinition definition;
    private final byte[] nameBytes;
    private @Nullable SpaceCore space;

    Creation(int id, SpaceDefinition definition) {
      this.id = id;
      this.definition = definition;
      this.nameBytes = definition.name().getBytes(StandardCharsets.UTF_8);
    }

    SpaceCore space() {
      SpaceCore made = space;
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
      space = registry.create(id, definition, epoch);
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
    registry.lock().lock();
    try {
      SpaceCore present = registry.find(space.id());
      if (present == null || !space.definition().equals(seen)) {
        return false;
      }
      if (renamed && registry.find(changed.name()) != null) {
        throw new IllegalArgumentException(
            "another space has that name: name=" + changed.name() + "; drop or rename it first");
      }
      commit = committer.applyDefinition(new Definition(present, changed));
    } finally {
      registry.lock().unlock();
    }
    committer.await(commit, committer.defaultDurability());
    return true;
  }

  /// Changes what the store remembers of an index.
  ///
  /// @param space the one with its entries
  /// @param words what is remembered then, by its definition so far
  /// @return the commit, or null if the index was dropped
  public @Nullable Commit redefineIndex(SpaceCore space, Function<SpaceDefinition, String> words) {
    while (true) {
      SpaceDefinition seen = space.definition();
      var changed = new SpaceDefinition(seen.name(), seen.keyCodec(), words.apply(seen));
      if (define(space, seen, changed)) {
        return new Commit(committer.order().lastCommit());
      }
      if (registry.find(space.id()) == null) {
        return null;
      }
    }
  }

  /// Gives a space another name.
  ///
  /// @return whether there was one
  public boolean rename(String name, String newName) {
    return rename(name, seen -> seen.renamed(newName));
  }

  private boolean rename(String name, UnaryOperator<SpaceDefinition> renaming) {
    while (true) {
      SpaceCore space = registry.find(name);
      if (space == null) {
        return false;
      }
      SpaceDefinition seen = space.definition();
      if (seen.name().equals(name) && define(space, seen, renaming.apply(seen))) {
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
    private final SpaceCore space;
    private final SpaceDefinition changed;

    Definition(SpaceCore space, SpaceDefinition changed) {
      this.space = space;
      this.changed = changed;
    }

    @Override
    public long bodyBytes() {
      return LogRecord.defineSpaceBytes(space.id(), changed);
    }

    @Override
    public void apply(long epoch) {
      registry.define(space, changed);
    }

    @Override
    public void write(RecordSink sink) {
      LogRecord.defineSpace(sink, space.id(), changed);
    }
  }

  /// Drops a space: its tree is removed after the commit ([DroppedSpaces]).
  ///
  /// @return whether there was one
  public boolean drop(String name) {
    SpaceCore indexed = registry.indexed(name);
    try (AloneRun _ = indexed == null ? null : reserve(indexed)) {
      return dropReserved(name);
    }
  }

  private boolean dropReserved(String name) {
    while (true) {
      SpaceCore space = registry.find(name);
      if (space == null) {
        return false;
      }
      dropIndexes(space);
      committer.aloneRuns().awaitFree(space.writeLock());
      Removal removal = new Removal(space);
      long commit = tryDrop(removal, name);
      if (commit == CommitOutcome.NO_CAPACITY) {
        // Outside of the locks: it takes a checkpoint to free capacity.
        // Without priority: `tryDrop` waits for the registry, under whose lock another may wait for
        // capacity.
        committer.retries().awaitCapacity(removal.bodyBytes(), /* grows= */ false);
      } else if (CommitOutcome.isLsn(commit)) {
        committer.await(commit, committer.defaultDurability());
        return true;
      }
    }
  }

  private void dropIndexes(SpaceCore space) {
    for (int id : space.indexes().all().values()) {
      SpaceCore entries = registry.find(id);
      if (entries != null) {
        drop(entries.name());
      }
    }
  }

  private long tryDrop(Removal removal, String name) {
    SpaceCore space = removal.space;
    StackProbe.require();
    registry.lock().lock();
    try {
      if (!space.writeLock().lock()) {
        return CommitOutcome.RESERVED_BY_ANOTHER;
      }
      try {
        if (registry.find(name) != space) { // dropped or renamed
          return CommitOutcome.DROPPED_BY_ANOTHER;
        }
        return space.indexes().all().isEmpty()
            ? committer.tryApplyDefinition(removal)
            : CommitOutcome.INDEXED;
      } finally {
        space.writeLock().unlock();
      }
    } finally {
      registry.lock().unlock();
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
      registry.drop(space);
      live.remove(space.id());
    }

    @Override
    public void write(RecordSink sink) {
      LogRecord.dropSpace(sink, space.id());
    }
  }
}
