package io.varve.internal.txn;

import io.varve.Commit;
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
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One closed epoch of a store, held until the close.
public final class StoreSnapshot implements Snapshot {
  private final Store store;
  private final Consumer<StoreSnapshot> closing;
  private final HeldEpoch held;
  private final long lsn;
  private final Clock clock;
  private final long takenNanos;
  private final String owner = Thread.currentThread().toString();
  private final @Nullable StackTraceElement origin;

  /// @param closing releases the epoch, once
  /// @param origin the code that took it, or null if that is not noted
  StoreSnapshot(
      Store store,
      Consumer<StoreSnapshot> closing,
      Clock clock,
      @Nullable StackTraceElement origin,
      HeldEpoch held,
      long lsn) {
    this.origin = origin;
    this.store = store;
    this.clock = clock;
    this.takenNanos = clock.nanoTime();
    this.closing = closing;
    this.held = held;
    this.lsn = lsn;
  }

  HeldEpoch held() {
    return held;
  }

  /// The epoch that this snapshot holds.
  public long epoch() {
    return held.epoch();
  }

  /// Whether it is open, and shows that store.
  ///
  /// @throws StoreClosedException if the snapshot or its store was closed
  @SuppressWarnings("ReferenceEquality") // each open store is itself alone
  public boolean isOf(Store other) {
    held.requireOpen();
    return store == other;
  }

  OpenSnapshot describe() {
    return new OpenSnapshotFigures(lsn, age(), owner, origin);
  }

  private SpaceCore use(Space space) {
    held.requireOpen();
    return SpaceHandle.coreOf(space, store);
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
    SpaceCore live = use(space);
    SpaceCore.requireKey(key);
    return held.read(live, null, root -> live.tree().get(root, key));
  }

  /// The value of a key in a space that no user holds.
  byte @Nullable [] get(SpaceCore space, byte[] key) {
    return held.read(space, null, root -> space.tree().get(root, key));
  }

  @Override
  public <T> @Nullable T get(Space space, byte[] key, Decoder<T> decoder) {
    SpaceCore live = use(space);
    SpaceCore.requireKey(key);
    return held.read(live, null, root -> live.tree().read(root, key, decoder));
  }

  @Override
  public List<byte @Nullable []> getAll(Space space, List<byte[]> keys) {
    SpaceCore live = use(space);
    List<byte @Nullable []> absent = new ArrayList<>(keys.size());
    keys.forEach(_ -> absent.add(null));
    return held.read(live, absent, root -> live.getAll(root, keys));
  }

  @Override
  public boolean contains(Space space, byte[] key) {
    SpaceCore live = use(space);
    SpaceCore.requireKey(key);
    return held.read(live, false, root -> live.tree().contains(root, key));
  }

  @Nullable InputStream open(SpaceCore space, byte[] key) {
    return held.open(space, key);
  }

  @Override
  public EntryCursor cursor(Space space, Range range) {
    return held.cursor(use(space), range);
  }

  @Override
  public Iterable<Entry> scan(Space space, Range range) {
    use(space);
    return () -> new EntryIterator(cursor(space, range));
  }

  @Override
  public Spliterator<Entry> spliterator(Space space, Range range) {
    return new EntrySpliterator<>(held, use(space), range, Cursor::entry, Spliterator.DISTINCT);
  }

  @Override
  public <T> Spliterator<T> spliterator(
      Space space, Range range, Function<? super Cursor, ? extends T> reading) {
    return new EntrySpliterator<>(held, use(space), range, reading, 0);
  }

  @Override
  public long count(Space space, Range range) {
    SpaceCore live = use(space);
    return held.read(live, 0L, root -> live.tree().count(root, range.from(), range.to()));
  }

  @Override
  public void close() {
    StackProbe.requireForClose();
    end();
  }

  /// Closes it, for a caller that has probed the stack: a second probe, further down, could fail
  /// after the caller counts as closed.
  void end() {
    held.close();
    closing.accept(this);
  }
}
