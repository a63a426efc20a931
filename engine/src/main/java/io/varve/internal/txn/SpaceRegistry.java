package io.varve.internal.txn;

import io.varve.internal.cache.Pages;
import io.varve.internal.disk.Clock;
import io.varve.internal.file.SpaceDefinition;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.OrderedLock;
import io.varve.internal.page.Node;
import io.varve.internal.tree.Tree;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The spaces of a store by name and by id, as recoveries, commits and checkpoints know them. Users
/// make and drop them by [Spaces].
///
/// Changed by the one thread that recovers, and then inside the gate and under the lock. Reads are
/// safe for threads.
public final class SpaceRegistry {
  private final Pages pages;
  private final CommitContext commits;
  private final Clock clock;
  private final OrderedLock lock;

  /// In order, so that those with a prefix are found.
  private final ConcurrentNavigableMap<String, SpaceCore> byName = new ConcurrentSkipListMap<>();

  private final Map<Integer, SpaceCore> byId = new ConcurrentHashMap<>();
  private final DroppedSpaces dropped;

  /// Guarded by the lock; read while commits are shut out.
  private int nextId = 1;

  /// Makes an empty registry.
  public SpaceRegistry(Pages pages, CommitContext commits, Clock clock) {
    this.pages = pages;
    this.commits = commits;
    this.clock = clock;
    this.dropped = new DroppedSpaces(commits);
    this.lock = new OrderedLock(pages.file().locks(), LockOrder.REGISTRY);
  }

  /// Adds a space that a checkpoint names, on opening. [#restored] follows the last one.
  public void restore(int id, SpaceDefinition definition, Node root, long epoch) {
    SpaceCore space = core(id, definition, new Tree(pages, clock, root, epoch));
    if (DroppedSpaces.isDropped(id, definition.name())) {
      nextId(id + 1);
      remove(space);
    } else {
      register(space);
    }
  }

  /// Connects each restored space with its indexes (INDEXES-1). A checkpoint names spaces in no
  /// order, so an index may have come before the space that it indexes.
  public void restored() {
    byId.values().forEach(this::connectIndex);
  }

  /// Changes what is known of a space to what the log records, on opening.
  public void replayDefine(int id, SpaceDefinition definition) {
    SpaceCore space = byId.get(id);
    if (space == null) {
      throw new IllegalStateException("unknown space: id=" + id);
    }
    define(space, definition);
  }

  /// Drops a space that the log names, on opening.
  public void replayDrop(int id) {
    SpaceCore space = byId.get(id);
    if (space != null) {
      drop(space);
    }
  }

  /// Sets the id that the next space gets, on opening.
  public void nextId(int id) {
    nextId = Math.max(nextId, id);
  }

  /// The id that the next space gets.
  public int nextId() {
    return nextId;
  }

  /// Held while a space is made, renamed or dropped.
  ReentrantLock lock() {
    return lock;
  }

  /// Adds a space that is made, and empty.
  public SpaceCore create(int id, SpaceDefinition definition, long epoch) {
    SpaceCore space = core(id, definition, Tree.empty(pages, clock, epoch));
    add(space);
    return space;
  }

  private SpaceCore core(int id, SpaceDefinition definition, Tree tree) {
    return new SpaceCore(id, definition, tree, commits.epochs(), commits.lifecycle());
  }

  private void add(SpaceCore space) {
    connectIndex(space); // before anybody finds it: INDEXES-1
    register(space);
  }

  private void connectIndex(SpaceCore space) {
    SpaceCore indexed = indexed(space.name());
    if (indexed != null) {
      indexed.indexes().added(IndexNames.index(space.name()), space.id());
    }
  }

  private void register(SpaceCore space) {
    byName.put(space.name(), space);
    byId.put(space.id(), space);
    nextId(space.id() + 1);
  }

  /// The spaces with entries of indexes that no space has: no commit changes them. There are none
  /// unless the store is damaged.
  public List<SpaceCore> strayIndexes() {
    if (byId.values().stream().noneMatch(this::isStrayIndex)) {
      return List.of();
    }
    lock.lock(); // which renames and drops hold until the sets of indexes agree with the names
    try {
      return byId.values().stream().filter(this::isStrayIndex).toList();
    } finally {
      lock.unlock();
    }
  }

  private boolean isStrayIndex(SpaceCore space) {
    if (!IndexNames.isIndex(space.name())) {
      return false;
    }
    SpaceCore indexed = indexed(space.name());
    String index = IndexNames.index(space.name());
    Integer entries = indexed == null ? null : indexed.indexes().entries(index);
    return entries == null || entries != space.id();
  }

  /// The space whose index the space of that name is, or null.
  @Nullable SpaceCore indexed(String name) {
    return IndexNames.isIndex(name) ? find(IndexNames.indexedSpace(name)) : null;
  }

  /// Changes what is known of a space.
  void define(SpaceCore space, SpaceDefinition definition) {
    String before = space.name();
    space.define(definition);
    byName.put(definition.name(), space);
    if (!before.equals(definition.name())) {
      byName.remove(before, space);
      SpaceCore indexed = indexed(before);
      if (indexed != null) {
        indexed.indexes().renamed(IndexNames.index(before), IndexNames.index(definition.name()));
      }
    }
  }

  /// Drops a space; its tree is removed later ([DroppedSpaces]).
  void drop(SpaceCore space) {
    byName.remove(space.name());
    byId.remove(space.id());
    SpaceCore indexed = indexed(space.name());
    if (indexed != null) {
      indexed.indexes().removed(IndexNames.index(space.name()));
    }
    remove(space);
  }

  private void remove(SpaceCore space) {
    space.drop();
    dropped.add(space);
  }

  /// The spaces that were dropped and whose trees are not removed yet.
  public DroppedSpaces dropped() {
    return dropped;
  }

  /// The space of that name, or null.
  public @Nullable SpaceCore find(String name) {
    return byName.get(name);
  }

  /// The space of that id, or null.
  public @Nullable SpaceCore find(int id) {
    return byId.get(id);
  }

  /// All spaces now.
  public List<SpaceCore> all() {
    return List.copyOf(byId.values());
  }

  /// The names of all spaces, those of indexes included: a view, in order.
  NavigableSet<String> names() {
    return byName.navigableKeySet();
  }

  /// Whether the calling thread makes a space, or runs a transaction alone.
  public boolean isAlone() {
    return lock.isHeldByCurrentThread()
        || byId.values().stream().anyMatch(space -> space.writeLock().isReservedHere());
  }
}
