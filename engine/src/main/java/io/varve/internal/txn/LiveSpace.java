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
import io.varve.internal.file.LargeValues;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.tree.Tree;
import io.varve.internal.tree.Tree.ReadValue;
import io.varve.internal.tree.TreeCursor;
import io.varve.spi.NonBlockingSpace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A space of an open store as users hold it: the operations over its [SpaceCore], whose changes
/// have one durability. [#with(Durability)] is another one over the same core.
public final class LiveSpace implements SpaceHandle, NonBlockingSpace {
  private final SpaceCore core;
  private final Store store;
  private final Tree tree;
  private final Committer committer;
  private final ValueWriter values;
  private final IndexedWrite indexed;
  private final Durability durability;

  /// Makes a space over its core.
  ///
  /// @param durability of its changes
  LiveSpace(
      SpaceCore core,
      Store store,
      Committer committer,
      ValueWriter values,
      IndexedWrite indexed,
      Durability durability) {
    this.core = core;
    this.store = store;
    this.tree = core.tree();
    this.committer = committer;
    this.values = values;
    this.indexed = indexed;
    this.durability = durability;
  }

  @Override
  public SpaceCore core() {
    return core;
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
    return new LiveSpace(core, store, committer, values, indexed, other);
  }

  @Override
  public AsyncSpace async() {
    return new AsyncWrites();
  }

  /// Changes whose durability is awaited by stages.
  private final class AsyncWrites implements AsyncSpace {
    @Override
    public Space space() {
      return LiveSpace.this;
    }

    @Override
    public CompletionStage<Commit> put(byte[] key, byte[] value) {
      return committer.whenDurable(putUnawaited(key, value), durability);
    }

    @Override
    public CompletionStage<Commit> delete(byte[] key) {
      return committer.whenDurable(deleteUnawaited(key), durability);
    }
  }

  @Override
  public Commit put(byte[] key, byte[] value) {
    return committer.await(putUnawaited(key, value), durability);
  }

  @Override
  public @Nullable CompletionStage<Commit> tryPut(byte[] key, byte[] value) {
    core.requireUsable();
    SpaceCore.requireKey(key);
    return core.isLarge(value.length)
        ? null
        : tryCommit(OneChange.put(core.id(), key, NewValue.inline(value)));
  }

  private @Nullable CompletionStage<Commit> tryCommit(OneChange change) {
    if (core.requireChangeable() != null) {
      return null; // It reads what the space and its indexes hold, and may wait for that.
    }
    long commit = committer.applyOneNow(core, change, /* grows= */ change.value() != null);
    return CommitOutcome.isLsn(commit) ? committer.whenDurable(commit, durability) : null;
  }

  private long putUnawaited(byte[] key, byte[] value) {
    core.requireUsable();
    SpaceCore.requireKey(key);
    NewValue stored = values.write(core, value);
    return commit(OneChange.put(core.id(), key, stored));
  }

  @Override
  public Commit put(byte[] key, InputStream value, long length) {
    core.requireUsable();
    SpaceCore.requireKey(key);
    if (length < 0 || length > VALUE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "value length out of range: length=" + length + ", max=" + VALUE_BYTES_MAX);
    }
    NewValue stored =
        core.isLarge(length)
            ? values.writeLarge(core, value, length)
            : values.write(core, read(value, length));
    return committer.await(commit(OneChange.put(core.id(), key, stored)), durability);
  }

  private static byte[] read(InputStream value, long length) {
    try {
      byte[] bytes = value.readNBytes((int) length);
      if (bytes.length != length) {
        throw LargeValues.endedEarly(length, bytes.length);
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long commit(OneChange change) {
    boolean grows = change.value() != null;
    return values.commit(core, change, (_, one) -> apply(one, grows));
  }

  /// Applies a change with the index entries that it brings with it.
  private long apply(OneChange change, boolean grows) {
    while (true) {
      Indexing indexing = core.requireChangeable();
      long commit =
          indexing == null
              ? committer.applyOne(core, change, grows)
              : indexed.apply(core, change, indexing, grows);
      if (commit != CommitOutcome.NOT_AS_EXPECTED || change.isConditional()) {
        return commit;
      }
    }
  }

  @Override
  public byte @Nullable [] getAndPut(byte[] key, byte[] value) {
    Objects.requireNonNull(value, "value");
    return update(key, _ -> value).before();
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value) {
    Objects.requireNonNull(value, "value");
    return update(key, before -> before == null ? value : before).before();
  }

  @Override
  public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update) {
    byte[] before =
        update(key, present -> Arrays.equals(present, expected) ? update : present).before();
    return Arrays.equals(before, expected);
  }

  @Override
  public Commit delete(byte[] key) {
    return committer.await(deleteUnawaited(key), durability);
  }

  @Override
  public @Nullable CompletionStage<Commit> tryDelete(byte[] key) {
    core.requireUsable();
    return tryCommit(OneChange.delete(core.id(), SpaceCore.requireKey(key)));
  }

  private long deleteUnawaited(byte[] key) {
    core.requireUsable();
    return commit(OneChange.delete(core.id(), SpaceCore.requireKey(key)));
  }

  @Override
  public byte @Nullable [] getAndDelete(byte[] key) {
    return update(key, _ -> null).before();
  }

  @Override
  public byte @Nullable [] merge(
      byte[] key, byte[] value, BinaryOperator<byte @Nullable []> remapping) {
    Objects.requireNonNull(value, "value");
    UnaryOperator<byte @Nullable []> merging =
        before -> before == null ? value : remapping.apply(before, value);
    byte[] after = update(key, merging).after();
    return after == null ? null : after.clone();
  }

  private record Update(byte @Nullable [] before, byte @Nullable [] after) {}

  /// Replaces the value of a key by a function of it, as one step: reads it, computes outside of
  /// all locks, and commits if the leaf still holds what was read; otherwise again. A result that
  /// is the very array that was read changes nothing.
  @SuppressWarnings("ReferenceEquality") // the same array: the function asks for no change
  private Update update(byte[] key, UnaryOperator<byte @Nullable []> function) {
    SpaceCore.requireKey(key);
    while (true) {
      core.requireUsable();
      ReadValue read = tree.getLive(key);
      StoredValue stored = read == null ? null : read.stored();
      byte[] before = read == null ? null : read.bytes();
      byte[] after = function.apply(before);
      if (before == after) {
        return new Update(before, after);
      }
      NewValue value = after == null ? null : values.write(core, after);
      long commit = commit(new OneChange(core.id(), key, value, true, stored, null));
      if (commit != CommitOutcome.NOT_AS_EXPECTED) {
        committer.await(commit, durability);
        return new Update(before, after);
      }
    }
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
    return new SpaceFigures(name(), size.entries(), size.bytes(), size.depth());
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
