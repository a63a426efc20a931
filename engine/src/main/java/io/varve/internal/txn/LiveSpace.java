package io.varve.internal.txn;

import io.varve.AsyncSpace;
import io.varve.Commit;
import io.varve.Cursor;
import io.varve.Decoder;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.SpaceStatistics;
import io.varve.Store;
import io.varve.internal.tree.LeafSums;
import io.varve.internal.tree.Tree;
import io.varve.internal.tree.TreeCursor;
import io.varve.spi.NonBlockingSpace;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A space of an open store as users hold it: the operations over its [SpaceCore], whose changes
/// have one durability. [#with(Durability)] is another one over the same core.
public final class LiveSpace implements SpaceHandle, NonBlockingSpace {
  private final SpaceCore core;
  private final Store store;
  private final Tree tree;
  private final Committer committer;
  private final PendingChanges changes;
  private final Durability durability;

  /// Makes a space over its core.
  ///
  /// @param changes of its keys
  /// @param durability of its changes
  LiveSpace(
      SpaceCore core,
      Store store,
      Committer committer,
      PendingChanges changes,
      Durability durability) {
    this.core = core;
    this.store = store;
    this.tree = core.tree();
    this.committer = committer;
    this.changes = changes;
    this.durability = durability;
  }

  @Override
  public SpaceCore core() {
    return core;
  }

  @Override
  public PendingChanges changes() {
    return changes;
  }

  @Override
  public String name() {
    return core.name();
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    core.requireUsable();
    return tree.get(null, SpaceCore.requireKey(key));
  }

  @Override
  public <T> @Nullable T get(byte[] key, Decoder<T> decoder) {
    core.requireUsable();
    return tree.read(null, SpaceCore.requireKey(key), Objects.requireNonNull(decoder, "decoder"));
  }

  @Override
  public boolean tryGet(byte[] key, Consumer<byte @Nullable []> found) {
    core.requireUsable();
    return tree.tryGet(SpaceCore.requireKey(key), Objects.requireNonNull(found, "found"));
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    core.requireUsable();
    return core.getAll(null, keys);
  }

  @Override
  public boolean contains(byte[] key) {
    core.requireUsable();
    return tree.contains(null, SpaceCore.requireKey(key));
  }

  @Override
  public @Nullable InputStream read(byte[] key) {
    core.requireUsable();
    SpaceCore.requireKey(key);
    // The snapshot keeps the value's extents from being reused while the stream is open.
    StoreSnapshot snapshot = (StoreSnapshot) store.snapshot();
    InputStream stream = null;
    try {
      stream = snapshot.open(core, key);
    } finally {
      if (stream == null) {
        snapshot.close();
      }
    }
    return stream == null ? null : new SnapshotStream(stream, snapshot, tree.pages().file());
  }

  @Override
  public Space with(Durability other) {
    committer.requireSupported(other);
    return new LiveSpace(core, store, committer, changes, other);
  }

  @Override
  public AsyncSpace async() {
    return new AsyncWrites(this, changes, durability);
  }

  @Override
  public Commit put(byte[] key, byte[] value) {
    return committer.await(changes.put(key, value), durability);
  }

  @Override
  public @Nullable CompletionStage<Commit> tryPut(byte[] key, byte[] value) {
    core.requireUsable();
    byte[] ownKey = SpaceCore.ownKey(key);
    return core.isLarge(value.length)
        ? null
        : tryCommit(OneChange.put(core.id(), ownKey, NewValue.inline(value.clone())));
  }

  private @Nullable CompletionStage<Commit> tryCommit(OneChange change) {
    if (core.requireChangeable() != null) {
      return null; // It reads what the space and its indexes hold, and may wait for that.
    }
    long commit = committer.applyOneNow(core, change, /* grows= */ change.value() != null);
    return CommitOutcome.isLsn(commit) ? committer.whenDurable(commit, durability) : null;
  }

  @Override
  public Commit put(byte[] key, InputStream value, long length) {
    return committer.await(changes.put(key, value, length), durability);
  }

  /// Waits for the durability of a change, if there is one.
  private KeyUpdate awaited(KeyUpdate update) {
    Commit commit = update.commit();
    if (commit != null) {
      committer.await(commit.lsn(), durability);
    }
    return update;
  }

  @Override
  public byte @Nullable [] getAndPut(byte[] key, byte[] value) {
    return awaited(changes.getAndPut(key, value)).before();
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value) {
    return awaited(changes.putIfAbsent(key, value)).before();
  }

  @Override
  public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update) {
    return awaited(changes.compareAndSet(key, expected, update)).found(expected);
  }

  @Override
  public Commit delete(byte[] key) {
    return committer.await(changes.delete(key), durability);
  }

  @Override
  public @Nullable CompletionStage<Commit> tryDelete(byte[] key) {
    core.requireUsable();
    return tryCommit(OneChange.delete(core.id(), SpaceCore.ownKey(key)));
  }

  @Override
  public byte @Nullable [] getAndDelete(byte[] key) {
    return awaited(changes.getAndDelete(key)).before();
  }

  @Override
  public byte @Nullable [] merge(
      byte[] key, byte[] value, BinaryOperator<byte @Nullable []> remapping) {
    byte[] after = awaited(changes.merge(key, value, remapping)).after();
    return after == null ? null : after.clone();
  }

  @Override
  public long deleteRange(Range range) {
    long[] removed = new long[1];
    store.transact(durability, transaction -> removed[0] = transaction.deleteRange(this, range));
    return removed[0];
  }

  @Override
  public Cursor cursor(Range range) {
    core.requireUsable();
    return new EntryCursor(
        new TreeCursor(tree, null, range.from(), range.to()),
        new LargeReads(),
        core::requireUsable);
  }

  /// Large values under a cursor over the live tree: their extents may be reused when the key was
  /// changed after the cursor came to it. Then the value is that of now.
  private final class LargeReads implements EntryCursor.LargeReads {
    @Override
    public byte @Nullable [] value(byte[] key, byte[] reference) {
      return tree.getLarge(key, reference);
    }

    @Override
    public @Nullable InputStream stream(byte[] key, byte[] reference) {
      return read(key);
    }
  }

  @Override
  public Iterable<Entry> scan(Range range) {
    return () -> new EntryIterator(cursor(range));
  }

  @Override
  public Stream<Entry> stream(Range range) {
    Snapshot snapshot = store.snapshot();
    Stream<Entry> stream = null;
    try {
      stream = snapshot.stream(this, range).onClose(snapshot::close);
    } finally {
      if (stream == null) {
        snapshot.close();
      }
    }
    return stream;
  }

  @Override
  public long count(Range range) {
    try (Snapshot snapshot = store.snapshot()) {
      return snapshot.count(this, range);
    }
  }

  @Override
  public long approximateBytes(Range range) {
    core.requireUsable();
    return tree.approximateBytes(range.from(), range.to());
  }

  @Override
  public SpaceStatistics statistics() {
    core.requireUsable();
    Tree.Size size = tree.size();
    LeafSums leaves = size.leaves();
    return new SpaceFigures(
        name(),
        size.entries(),
        leaves.bytes(),
        size.depth(),
        leaves.count(),
        leaves.countInMemory());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LiveSpace that && core == that.core && durability == that.durability;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(core);
  }

  @Override
  public String toString() {
    String space = "Space[" + name() + "]";
    return durability == committer.defaultDurability() ? space : space + " with " + durability;
  }
}
