package io.varve.internal.txn;

import io.varve.Space;
import io.varve.StoreFailedException;
import io.varve.internal.file.LargeValues;
import io.varve.internal.file.SpaceDefinition;
import io.varve.internal.page.Node;
import io.varve.internal.tree.Epochs;
import io.varve.internal.tree.Tree;
import io.varve.internal.tree.TreeWriter;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What commits, checkpoints and recoveries need of a space: its tree, the lock of its writers, its
/// large values, and what is known of it. Users hold a [LiveSpace] over it.
public final class SpaceCore {
  private final int id;
  private final Tree tree;
  private final Epochs epochs;
  private final Lifecycle lifecycle;
  private final TreeWriter writer;
  private final LargeValues largeValues;
  private final WriteLock lock;
  private final int inlineBytesMax;
  private final IndexSet indexes;
  private final Watches watches = new Watches();

  /// Written inside the gate, or by the one thread that recovers.
  private volatile SpaceDefinition definition;

  /// Written under the lock.
  private volatile boolean dropped;

  /// Why a change was left half-way, or null. Written under the lock, before the tree is ended.
  private @Nullable Throwable brokenBy;

  /// What ends the tree then; made ahead.
  private final Supplier<RuntimeException> broken = this::broken;

  /// Makes a space of its tree.
  SpaceCore(int id, SpaceDefinition definition, Tree tree, Epochs epochs, Lifecycle lifecycle) {
    this.id = id;
    this.definition = definition;
    this.tree = tree;
    this.epochs = epochs;
    this.lifecycle = lifecycle;
    this.writer = new TreeWriter(tree, epochs);
    this.lock = new WriteLock(tree.pages().file().locks(), id, definition.name());
    this.largeValues = new LargeValues(tree.pages().file(), id, epochs::current);
    this.inlineBytesMax = tree.pages().pageBytes() / 4;
    this.indexes = new IndexSet(this::name);
  }

  public int id() {
    return id;
  }

  public String name() {
    return definition.name();
  }

  /// What is known of the space apart from its entries.
  public SpaceDefinition definition() {
    return definition;
  }

  /// Sets what is known of the space: inside the gate, or on opening.
  void define(SpaceDefinition changed) {
    definition = changed;
  }

  public Tree tree() {
    return tree;
  }

  /// The writer of the tree. For the holder of the lock, or the one thread that recovers.
  public TreeWriter writer() {
    return writer;
  }

  /// The indexes of this space.
  public IndexSet indexes() {
    return indexes;
  }

  /// The watches of this space.
  Watches watches() {
    return watches;
  }

  /// Lets the watches of this space find out that the store is closed.
  public void wakeWatches() {
    watches.wake();
  }

  /// What a change of this space brings with it, or null if it has no indexes.
  ///
  /// @throws RuntimeException if it cannot be changed by users now
  public @Nullable Indexing requireChangeable() {
    Indexing now = indexes.indexing();
    if (now != null) {
      now.requireChangeable();
    }
    return now;
  }

  WriteLock writeLock() {
    return lock;
  }

  /// Whether a transaction of another thread runs alone over this, so that nobody else commits to
  /// it.
  public boolean isReservedByAnother() {
    return lock.reservedByAnother() != null;
  }

  /// Whether a transaction of the calling thread runs alone over this.
  public boolean isReservedHere() {
    return lock.isReservedHere();
  }

  public LargeValues largeValues() {
    return largeValues;
  }

  /// Whether a value of that length is in extents of its own.
  public boolean isLarge(long length) {
    return length > inlineBytesMax;
  }

  /// Drops the roots that no snapshot needs any more, and the way to the newest change, which holds
  /// pages (PATH-1); unless a commit is under way, which needs them.
  public void pruneRoots() {
    if (lock.tryLock()) {
      try {
        writer.forget();
        if (!dropped) { // the thread that removes it prunes them
          tree.pruneRoots(epochs);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  void drop() {
    dropped = true;
    tree.end(() -> new IllegalStateException("the space was dropped: space=" + name()));
    watches.wake();
  }

  /// Whether the space was dropped: then none of its pages is read or moved any more.
  public boolean isDropped() {
    return dropped;
  }

  /// Ends all use of a tree that a change left half-way. Makes no object: memory may be what is
  /// lacking.
  void poison(Throwable cause) {
    if (brokenBy == null) {
      brokenBy = cause;
    }
    tree.end(broken);
    watches.wake();
  }

  private StoreFailedException broken() {
    Throwable cause = brokenBy;
    return new StoreFailedException(
        "a change of the space broke off: space="
            + name()
            + ", cause="
            + cause
            + "; close and reopen the store",
        Objects.requireNonNull(cause));
  }

  /// @throws RuntimeException if the store was closed, or the space dropped or left half-changed
  void requireUsable() {
    lifecycle.requireOpen();
    tree.requireNotEnded();
  }

  static byte[] requireKey(byte[] key) {
    if (key.length > Space.KEY_BYTES_MAX) {
      throw new IllegalArgumentException(
          "key too long: keyBytes=" + key.length + ", max=" + Space.KEY_BYTES_MAX);
    }
    return key;
  }

  /// A copy of a key that is to be written (KEYCOPY-1).
  static byte[] ownKey(byte[] key) {
    return requireKey(key).clone();
  }

  List<byte @Nullable []> getAll(@Nullable Node fixed, List<byte[]> keys) {
    byte[][] all = keys.toArray(byte[][]::new);
    for (byte[] key : all) {
      requireKey(key);
    }
    return tree.getAll(fixed, all);
  }

  @Override
  public String toString() {
    return "SpaceCore[" + name() + "]";
  }
}
