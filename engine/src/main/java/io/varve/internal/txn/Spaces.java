package io.varve.internal.txn;

import io.varve.CorruptStoreException;
import io.varve.Store;
import io.varve.StoreIoException;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import io.varve.internal.page.Pages;
import io.varve.internal.tree.Tree;
import io.varve.internal.wal.RecordSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// The spaces of an open store, by name and by id. Making and dropping one is a commit.
public final class Spaces {
  /// The longest name, in characters.
  public static final int NAME_LENGTH_MAX = 200;

  /// What a drop answers instead of an LSN when the space is gone.
  private static final long ANOTHER_DROPPED_IT = -3;

  private final Store store;
  private final Pages pages;
  private final Committer committer;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, LiveSpace> byName = new ConcurrentHashMap<>();
  private final Map<Integer, LiveSpace> byId = new ConcurrentHashMap<>();

  /// Guarded by the lock; read while commits are shut out.
  private int nextId = 1;

  /// Makes an empty registry.
  public Spaces(Store store, Pages pages, Committer committer) {
    this.store = store;
    this.pages = pages;
    this.committer = committer;
  }

  /// Adds a space that a checkpoint names, on opening.
  public void restore(int id, String name, Node root, long epoch) {
    add(new LiveSpace(id, name, store, new Tree(pages, root, epoch), committer));
  }

  /// Makes a space that the log names, on opening.
  public void replayCreate(int id, String name, long epoch) {
    add(new LiveSpace(id, name, store, Tree.empty(pages, epoch), committer));
  }

  /// Drops a space that the log names, on opening.
  public void replayDrop(int id, long epoch) {
    LiveSpace space = byId.get(id);
    if (space != null) {
      remove(space);
      retireAll(space, epoch);
    }
  }

  /// Sets the id that the next space gets, on opening.
  public void nextId(int id) {
    nextId = Math.max(nextId, id);
  }

  public int nextId() {
    return nextId;
  }

  private void add(LiveSpace space) {
    byName.put(space.name(), space);
    byId.put(space.id(), space);
    nextId(space.id() + 1);
  }

  private void remove(LiveSpace space) {
    byName.remove(space.name());
    byId.remove(space.id());
  }

  /// The space of that name, or null.
  public @Nullable LiveSpace find(String name) {
    return byName.get(name);
  }

  /// The space of that id, or null.
  public @Nullable LiveSpace find(int id) {
    return byId.get(id);
  }

  /// All spaces now.
  public List<LiveSpace> all() {
    Collection<LiveSpace> now = byId.values();
    return new ArrayList<>(now);
  }

  /// All names now, in order.
  public SortedSet<String> names() {
    return new TreeSet<>(byName.keySet());
  }

  /// The space of that name, made durably if there is none.
  public LiveSpace findOrCreate(String name) {
    LiveSpace present = byName.get(name);
    if (present != null) {
      return present;
    }
    requireName(name);
    Creation creation;
    long commit;
    lock.lock();
    try {
      present = byName.get(name);
      if (present != null) {
        return present;
      }
      creation = new Creation(nextId, name);
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
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      throw new IllegalArgumentException(
          "space name is no text: it holds half of a surrogate pair; name=" + name);
    }
  }

  /// Runs `work` while nobody else commits to any space. The locks are those that commits take, in
  /// the same order, so whoever waits for one of them holds none that comes after it.
  public <T extends @Nullable Object> T alone(Supplier<T> work) {
    lock.lock();
    List<LiveSpace> locked = all();
    locked.sort(Comparator.comparingInt(LiveSpace::id));
    locked.forEach(space -> space.lock().lock());
    try {
      return work.get();
    } finally {
      locked.reversed().forEach(space -> space.lock().unlock());
      lock.unlock();
    }
  }

  private final class Creation implements Committer.DefinitionChange {
    private final int id;
    private final String name;
    private final byte[] nameBytes;
    private @Nullable LiveSpace space;

    Creation(int id, String name) {
      this.id = id;
      this.name = name;
      this.nameBytes = name.getBytes(StandardCharsets.UTF_8);
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
      return LogRecord.createSpaceBytes(id, nameBytes);
    }

    @Override
    public void apply(long epoch) {
      LiveSpace made = new LiveSpace(id, name, store, Tree.empty(pages, epoch), committer);
      space = made;
      add(made);
    }

    @Override
    public void write(RecordSink sink) {
      LogRecord.createSpace(sink, id, nameBytes);
    }
  }

  /// Drops a space.
  ///
  /// @param pageWritersOut runs what it is given while no page is written, since what the space
  ///   held must be given up in the epoch of the commit
  /// @return whether there was one
  public boolean drop(String name, ToLongFunction<LongSupplier> pageWritersOut) {
    while (true) {
      LiveSpace space = byName.get(name);
      if (space == null) {
        return false;
      }
      Removal removal = new Removal(space);
      long commit = tryDrop(removal, pageWritersOut);
      if (commit == CommitLog.NO_ROOM) {
        // Outside of the locks: it takes a checkpoint to make room.
        committer.awaitRoom(removal.bodyBytes(), /* grows= */ false);
      } else if (commit != ANOTHER_DROPPED_IT) {
        committer.await(commit, committer.defaultDurability());
        return true;
      }
    }
  }

  private long tryDrop(Removal removal, ToLongFunction<LongSupplier> pageWritersOut) {
    LiveSpace space = removal.space;
    lock.lock();
    try {
      space.lock().lock();
      try {
        return pageWritersOut.applyAsLong(() -> {
          if (byId.get(space.id()) == null) {
            return ANOTHER_DROPPED_IT;
          }
          long commit = committer.tryApplyDefinition(removal);
          if (commit != CommitLog.NO_ROOM) {
            retireAll(space, removal.epoch);
          }
          return commit;
        });
      } finally {
        space.lock().unlock();
      }
    } finally {
      lock.unlock();
    }
  }

  private final class Removal implements Committer.DefinitionChange {
    private final LiveSpace space;
    private long epoch;

    Removal(LiveSpace space) {
      this.space = space;
    }

    @Override
    public long bodyBytes() {
      return LogRecord.dropSpaceBytes(space.id());
    }

    @Override
    public void apply(long now) {
      epoch = now;
      space.drop();
      remove(space);
    }

    @Override
    public void write(RecordSink sink) {
      LogRecord.dropSpace(sink, space.id());
    }
  }

  private void retireAll(LiveSpace space, long epoch) {
    retireAll(space, space.tree().root(), epoch);
  }

  /// Gives up a subtree. What cannot be read keeps its place in the file: a drop that broke off for
  /// it would leave a space that can neither be used nor dropped.
  private void retireAll(LiveSpace space, Node node, long epoch) {
    try {
      retireBelow(space, node, epoch);
    } catch (CorruptStoreException | StoreIoException e) {
      System.getLogger(Spaces.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "a part of the space that is dropped cannot be read and stays in the file: space="
                  + space.name(),
              e);
      return;
    }
    pages.retire(node, epoch, true);
  }

  private void retireBelow(LiveSpace space, Node node, long epoch) {
    switch (node) {
      case Leaf leaf -> {
        byte[] page = pages.load(leaf);
        for (int i = 0; i < LeafPage.count(page); i++) {
          if (LeafPage.isLarge(page, i)) {
            pages.retireLarge(LeafPage.value(page, i), epoch);
          }
        }
      }
      case Inner inner -> {
        Branches branches = pages.load(inner);
        for (int i = 0; i < branches.count(); i++) {
          retireAll(space, branches.child(i), epoch);
        }
      }
    }
  }
}
