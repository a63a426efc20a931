package io.varve.internal.txn;

import io.varve.Commit;
import io.varve.CorruptStoreException;
import io.varve.Cursor;
import io.varve.Decoder;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Statistics.OpenSnapshot;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StackProbe;
import io.varve.internal.page.Node;
import io.varve.internal.tree.TreeCursor;
import java.io.InputStream;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One closed epoch of a store, held until the close.
public final class StoreSnapshot implements Snapshot {
  private final Store store;
  private final Snapshots snapshots;
  private final Lifecycle lifecycle;
  private final long epoch;
  private final long lsn;
  private final Clock clock;
  private final long takenNanos;
  private final String owner = Thread.currentThread().toString();
  private final @Nullable StackTraceElement origin;
  private volatile boolean closed;

  StoreSnapshot(
      Store store,
      Snapshots snapshots,
      Lifecycle lifecycle,
      Clock clock,
      @Nullable StackTraceElement origin,
      long epoch,
      long lsn) {
    this.origin = origin;
    this.store = store;
    this.clock = clock;
    this.takenNanos = clock.nanoTime();
    this.snapshots = snapshots;
    this.lifecycle = lifecycle;
    this.epoch = epoch;
    this.lsn = lsn;
  }

  /// The epoch that this snapshot holds.
  public long epoch() {
    return epoch;
  }

  /// Whether it is open, and shows that store.
  ///
  /// @throws StoreClosedException if the snapshot or its store was closed
  @SuppressWarnings("ReferenceEquality") // each open store is itself alone
  public boolean isOf(Store other) {
    requireOpen();
    return store == other;
  }

  OpenSnapshot describe() {
    return new OpenSnapshotFigures(lsn, age(), owner, origin);
  }

  /// @throws StoreClosedException if the snapshot or its store was closed
  void requireOpen() {
    lifecycle.requireOpen();
    if (closed) {
      throw new StoreClosedException("the snapshot is closed");
    }
  }

  private LiveSpace use(Space space) {
    requireOpen();
    return LiveSpace.of(space, store);
  }

  /// The root of a space as of this snapshot, or null if it was created later.
  @Nullable Node root(LiveSpace space) {
    return space.tree().rootAt(epoch);
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public Commit lastCommit() {
    return new Commit(lsn);
  }

  @Override
  public Duration age() {
    return Duration.ofNanos(clock.nanoTime() - takenNanos);
  }

  @Override
  public byte @Nullable [] get(Space space, byte[] key) {
    LiveSpace live = use(space);
    LiveSpace.requireKey(key);
    return read(live, null, root -> live.tree().get(root, key));
  }

  @Override
  public <T> @Nullable T get(Space space, byte[] key, Decoder<T> decoder) {
    LiveSpace live = use(space);
    LiveSpace.requireKey(key);
    return read(live, null, root -> live.tree().read(root, key, decoder));
  }

  @Override
  public List<byte @Nullable []> getAll(Space space, List<byte[]> keys) {
    LiveSpace live = use(space);
    List<byte @Nullable []> absent = new ArrayList<>(keys.size());
    keys.forEach(_ -> absent.add(null));
    return read(live, absent, root -> live.getAll(root, keys));
  }

  @Override
  public boolean contains(Space space, byte[] key) {
    LiveSpace live = use(space);
    LiveSpace.requireKey(key);
    return read(live, false, root -> live.tree().contains(root, key));
  }

  /// Reads what this snapshot holds.
  ///
  /// @param absent what a space gives that was created later
  private <T extends @Nullable Object> T read(LiveSpace live, T absent, Function<Node, T> look) {
    return held(
        live,
        () -> {
          Node root = root(live);
          return root == null ? absent : look.apply(root);
        });
  }

  /// Reads pages that this snapshot holds. Another thread may close it during the read: then its
  /// root may be gone, its pages may change under the reader, and what is on disk may be reused. So
  /// no result or failure counts until the snapshot is seen to be open after it.
  ///
  /// @throws StoreClosedException if the snapshot or its store was closed
  private <T extends @Nullable Object> T held(LiveSpace space, Supplier<T> reading) {
    T result;
    try {
      result = reading.get();
    } catch (RuntimeException | Error e) {
      requireStillOpen();
      if (e instanceof CorruptStoreException damage) {
        throw space.tree().pages().file().damaged(damage);
      }
      throw e;
    }
    requireStillOpen();
    return result;
  }

  /// Throws as [#requireOpen()] does, for what was read before the call.
  private void requireStillOpen() {
    VarHandle.loadLoadFence(); // What was read was read before the look at `closed`.
    requireOpen();
  }

  @Nullable InputStream open(LiveSpace space, byte[] key) {
    requireOpen();
    return read(space, null, root -> space.tree().open(root, key));
  }

  @Override
  public EntryCursor cursor(Space space, Range range) {
    LiveSpace live = use(space);
    TreeCursor cursor =
        read(
            live,
            TreeCursor.overNothing(live.tree()),
            root -> new TreeCursor(live.tree(), root, range.from(), range.to()));
    EntryCursor.LargeReads largeReads =
        EntryCursor.LargeReads.ofFixed(live.tree().pages().file(), this::requireOpen);
    return new EntryCursor(cursor, largeReads, this::requireOpen);
  }

  @Override
  public Iterable<Entry> scan(Space space, Range range) {
    use(space);
    return () -> new EntryIterator(cursor(space, range));
  }

  @Override
  public Spliterator<Entry> spliterator(Space space, Range range) {
    return new EntrySpliterator<>(this, use(space), range, Cursor::entry, Spliterator.DISTINCT);
  }

  @Override
  public <T> Spliterator<T> spliterator(
      Space space, Range range, Function<? super Cursor, ? extends T> reading) {
    return new EntrySpliterator<>(this, use(space), range, reading, 0);
  }

  /// Looks at the tree of a space below its root as of this snapshot.
  <T extends @Nullable Object> T inTree(LiveSpace space, Function<Node, T> look) {
    requireOpen();
    return held(
        space,
        () -> look.apply(Objects.requireNonNullElseGet(root(space), space.tree()::emptyRoot)));
  }

  @Override
  public long count(Space space, Range range) {
    LiveSpace live = use(space);
    return read(live, 0L, root -> live.tree().count(root, range.from(), range.to()));
  }

  @Override
  public void close() {
    StackProbe.require();
    closed = true;
    snapshots.closed(this);
  }
}
