package io.varve.internal.txn;

import io.varve.AsyncSpace;
import io.varve.Commit;
import io.varve.CorruptStoreException;
import io.varve.Cursor;
import io.varve.Decoder;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.SpaceStatistics;
import io.varve.Store;
import io.varve.StoreClosedException;
import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.internal.disk.DiskFullException;
import io.varve.internal.disk.FileClosedException;
import io.varve.internal.disk.StackProbe;
import io.varve.internal.file.LargeValues;
import io.varve.internal.file.LargeValues.Capacity;
import io.varve.internal.file.SpaceDefinition;
import io.varve.internal.page.LargeReference;
import io.varve.internal.page.Node;
import io.varve.internal.tree.StoredValue;
import io.varve.internal.tree.Tree;
import io.varve.internal.tree.Tree.ReadValue;
import io.varve.internal.tree.TreeCursor;
import io.varve.internal.tree.TreeWriter;
import io.varve.spi.NonBlockingSpace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongBiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A space of an open store: its tree, the lock of its writers, and the operations that users call.
public final class LiveSpace implements Space, NonBlockingSpace {
  /// Values up to this length are held by the log whole, and written to the page file without a
  /// force, if they take a small part of the log's ring or are up to [#LOGGED_BYTES_MIN] long;
  /// others are forced to the page file first, and the log holds the reference.
  static final int LOGGED_BYTES_MAX = 2 << 20;

  /// What the log holds whole of any commit and with any ring.
  private static final int LOGGED_BYTES_MIN = 128 << 10;

  /// The part of the log's ring that a value may take: the commits of others need room as well.
  private static final int RING_PART = 4;

  private final int id;
  private final Store store;
  private final Tree tree;
  private final Committer committer;
  private final TreeWriter writer;
  private final LargeValues largeValues;
  private final WriteLock lock;
  private final int inlineBytesMax;

  /// Written inside the gate, or by the one thread that recovers.
  private volatile SpaceDefinition definition;

  /// Written under the lock.
  private volatile boolean dropped;

  /// Why a change was left half-way, or null. Written under the lock, before the tree is ended.
  private @Nullable Throwable brokenBy;

  /// What ends the tree then; made ahead.
  private final Supplier<RuntimeException> broken = this::broken;

  /// Makes a space over its tree.
  public LiveSpace(
      int id, SpaceDefinition definition, Store store, Tree tree, Committer committer) {
    this.id = id;
    this.definition = definition;
    this.store = store;
    this.tree = tree;
    this.committer = committer;
    this.writer = new TreeWriter(tree, committer.epochs());
    this.lock = new WriteLock(id, definition.name(), committer.aloneRuns());
    this.largeValues = new LargeValues(tree.pages().file(), id, committer.epochs()::current);
    this.inlineBytesMax = tree.pages().pageBytes() / 4;
  }

  public int id() {
    return id;
  }

  @Override
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

  @Override
  public Store store() {
    return store;
  }

  public Tree tree() {
    return tree;
  }

  /// The writer of the tree. For the holder of the lock, or the one thread that recovers.
  public TreeWriter writer() {
    return writer;
  }

  WriteLock writeLock() {
    return lock;
  }

  /// Whether a transaction of another thread runs alone over this, so that nobody else commits to
  /// it.
  public boolean isReservedByAnother() {
    return lock.reservedByAnother() != null;
  }

  public LargeValues largeValues() {
    return largeValues;
  }

  /// Whether a value of that length is in extents of its own.
  public boolean isLarge(long length) {
    return length > inlineBytesMax;
  }

  /// Drops the roots that no snapshot needs any more, unless a commit is under way, which does.
  public void pruneRoots() {
    if (lock.tryLock()) {
      try {
        if (!dropped) { // whoever removes it prunes them
          tree.pruneRoots(committer.epochs());
        }
      } finally {
        lock.unlock();
      }
    }
  }

  void drop() {
    dropped = true;
    tree.end(() -> new IllegalStateException("the space was dropped: space=" + name()));
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

  void requireLive() {
    tree.requireNotEnded();
  }

  void requireUsable() {
    committer.lifecycle().requireOpen();
    requireLive();
  }

  static byte[] requireKey(byte[] key) {
    if (key.length > KEY_BYTES_MAX) {
      throw new IllegalArgumentException(
          "key too long: keyBytes=" + key.length + ", max=" + KEY_BYTES_MAX);
    }
    return key;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    requireUsable();
    return tree.get(null, requireKey(key));
  }

  @Override
  public <T> @Nullable T get(byte[] key, Decoder<T> decoder) {
    requireUsable();
    return tree.read(null, requireKey(key), Objects.requireNonNull(decoder, "decoder"));
  }

  @Override
  public boolean tryGet(byte[] key, Consumer<byte @Nullable []> found) {
    requireUsable();
    return tree.tryGet(requireKey(key), Objects.requireNonNull(found, "found"));
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    requireUsable();
    return getAll(null, keys);
  }

  List<byte @Nullable []> getAll(@Nullable Node fixed, List<byte[]> keys) {
    keys.forEach(LiveSpace::requireKey);
    return tree.getAll(fixed, keys);
  }

  @Override
  public boolean contains(byte[] key) {
    requireUsable();
    return tree.contains(null, requireKey(key));
  }

  @Override
  public @Nullable InputStream read(byte[] key) {
    requireUsable();
    requireKey(key);
    // The snapshot keeps the value's extents from being reused while the stream is open.
    StoreSnapshot snapshot = (StoreSnapshot) store.snapshot();
    InputStream stream = null;
    try {
      stream = snapshot.open(this, key);
    } finally {
      if (stream == null) {
        snapshot.close();
      }
    }
    return stream == null ? null : new SnapshotStream(stream, snapshot, tree.pages().file());
  }

  @Override
  public Commit put(byte[] key, byte[] value) {
    return put(key, value, committer.defaultDurability());
  }

  @Override
  public Space with(Durability durability) {
    committer.requireSupported(durability);
    return new SpaceView(this, durability);
  }

  @Override
  public AsyncSpace async() {
    return new AsyncWrites(this, committer.defaultDurability());
  }

  Commit put(byte[] key, byte[] value, Durability durability) {
    return committer.await(putUnawaited(key, value), durability);
  }

  CompletionStage<Commit> putAsync(byte[] key, byte[] value, Durability durability) {
    return committer.whenDurable(putUnawaited(key, value), durability);
  }

  @Override
  public @Nullable CompletionStage<Commit> tryPut(byte[] key, byte[] value) {
    return tryPut(key, value, committer.defaultDurability());
  }

  @Nullable CompletionStage<Commit> tryPut(byte[] key, byte[] value, Durability durability) {
    requireUsable();
    requireKey(key);
    return isLarge(value.length)
        ? null
        : tryCommit(OneChange.put(id, key, NewValue.inline(value)), durability);
  }

  private @Nullable CompletionStage<Commit> tryCommit(OneChange change, Durability durability) {
    long commit = committer.applyOneNow(this, change, /* grows= */ change.value() != null);
    return commit == OneChange.NOT_NOW ? null : committer.whenDurable(commit, durability);
  }

  private long putUnawaited(byte[] key, byte[] value) {
    requireUsable();
    requireKey(key);
    NewValue stored = store(value);
    return commit(OneChange.put(id, key, stored));
  }

  @Override
  public Commit put(byte[] key, InputStream value, long length) {
    return put(key, value, length, committer.defaultDurability());
  }

  Commit put(byte[] key, InputStream value, long length, Durability durability) {
    requireUsable();
    requireKey(key);
    if (length < 0 || length > VALUE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "value length out of range: length=" + length + ", max=" + VALUE_BYTES_MAX);
    }
    NewValue stored =
        isLarge(length)
            ? storeLarge(value, length, null, committer.valueCapacity())
            : store(read(value, length));
    return committer.await(commit(OneChange.put(id, key, stored)), durability);
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
    return commit(change, (space, one) -> committer.applyOne(space, one, grows));
  }

  /// Commits one change; if it is refused, the extents of its large value are freed.
  private long commit(OneChange change, ToLongBiFunction<LiveSpace, OneChange> committing) {
    NewValue value = change.value();
    boolean done = false;
    try {
      long commit = committing.applyAsLong(this, change);
      done = commit >= 0;
      return commit;
    } catch (StoreFailedException e) {
      done = true; // Perhaps logged: the extents must stay as they are.
      throw e;
    } finally {
      if (value != null) {
        value.end();
        if (!done && value.stored().large()) {
          largeValues.giveBack(value.stored().bytes());
        }
      }
    }
  }

  /// Makes a value ready for a leaf: inline, or written to extents of its own.
  NewValue store(byte[] value) {
    return store(value, LOGGED_BYTES_MAX);
  }

  private NewValue store(byte[] value, int loggedBytesMax) {
    return isLarge(value.length) ? storeLarge(value, loggedBytesMax) : NewValue.inline(value);
  }

  /// Writes a value to extents of its own.
  ///
  /// @param loggedBytesMax the longest to be kept in memory until the log takes it whole; those up
  ///   to [#LOGGED_BYTES_MIN] are kept in any case
  NewValue storeLarge(byte[] value, int loggedBytesMax) {
    return storeLarge(value, loggedBytesMax, committer.valueCapacity());
  }

  private NewValue storeLarge(byte[] value, int loggedBytesMax, Capacity capacity) {
    int max = Math.min(loggedBytesMax, committer.log().ringBytes() / RING_PART);
    boolean logged = value.length <= Math.max(LOGGED_BYTES_MIN, max);
    byte[] content = logged ? value : null;
    return storeLarge(new ByteArrayInputStream(value), value.length, content, capacity);
  }

  /// @param logged what the log holds; null if that is the reference
  private NewValue storeLarge(
      InputStream value, long length, byte @Nullable [] logged, Capacity capacity) {
    StackProbe.require();
    try {
      boolean durably = logged == null && committer.log().isDurable();
      byte[] reference = largeValues.write(value, length, capacity, durably);
      return new NewValue(
          new StoredValue(reference, true), logged, logged == null ? noteImages(reference) : null);
    } catch (LargeValues.SourceException e) {
      throw new UncheckedIOException(e.cause());
    } catch (FileClosedException e) {
      throw new StoreClosedException("the store was closed while a value was written", e);
    } catch (DiskFullException e) {
      throw new StoreFullException(
          "no room for the value: valueBytes="
              + length
              + ", file="
              + tree.pages().file().where()
              + "; nothing was changed; make room and try again",
          e);
    } catch (IOException e) {
      committer.log().fail(e);
      throw new StoreFailedException(
          "value write failed: file=" + tree.pages().file().where() + "; reopen the store", e);
    }
  }

  /// Writes the images of a value that a commit will name by reference in the log, if that is kept.
  private LogNotes.@Nullable ValueUnderWay noteImages(byte[] reference) throws IOException {
    LogNotes notes = committer.notes();
    if (notes == null) {
      return null;
    }
    boolean noted = false;
    try {
      LogNotes.ValueUnderWay value = notes.write(tree.pages().file(), id, reference);
      noted = true;
      return value;
    } finally {
      if (!noted) {
        largeValues.giveBack(reference);
      }
    }
  }

  @Override
  public byte @Nullable [] getAndPut(byte[] key, byte[] value) {
    return getAndPut(key, value, committer.defaultDurability());
  }

  byte @Nullable [] getAndPut(byte[] key, byte[] value, Durability durability) {
    Objects.requireNonNull(value, "value");
    return update(key, _ -> value, durability).before();
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value) {
    return putIfAbsent(key, value, committer.defaultDurability());
  }

  byte @Nullable [] putIfAbsent(byte[] key, byte[] value, Durability durability) {
    Objects.requireNonNull(value, "value");
    return update(key, before -> before == null ? value : before, durability).before();
  }

  @Override
  public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update) {
    return compareAndSet(key, expected, update, committer.defaultDurability());
  }

  boolean compareAndSet(
      byte[] key, byte @Nullable [] expected, byte @Nullable [] update, Durability durability) {
    byte[] before =
        update(key, present -> Arrays.equals(present, expected) ? update : present, durability)
            .before();
    return Arrays.equals(before, expected);
  }

  @Override
  public Commit delete(byte[] key) {
    return delete(key, committer.defaultDurability());
  }

  Commit delete(byte[] key, Durability durability) {
    return committer.await(deleteUnawaited(key), durability);
  }

  CompletionStage<Commit> deleteAsync(byte[] key, Durability durability) {
    return committer.whenDurable(deleteUnawaited(key), durability);
  }

  @Override
  public @Nullable CompletionStage<Commit> tryDelete(byte[] key) {
    return tryDelete(key, committer.defaultDurability());
  }

  @Nullable CompletionStage<Commit> tryDelete(byte[] key, Durability durability) {
    requireUsable();
    return tryCommit(OneChange.delete(id, requireKey(key)), durability);
  }

  private long deleteUnawaited(byte[] key) {
    requireUsable();
    return commit(OneChange.delete(id, requireKey(key)));
  }

  @Override
  public byte @Nullable [] getAndDelete(byte[] key) {
    return getAndDelete(key, committer.defaultDurability());
  }

  byte @Nullable [] getAndDelete(byte[] key, Durability durability) {
    return update(key, _ -> null, durability).before();
  }

  @Override
  public byte @Nullable [] merge(
      byte[] key, byte[] value, BinaryOperator<byte @Nullable []> remapping) {
    return merge(key, value, remapping, committer.defaultDurability());
  }

  byte @Nullable [] merge(
      byte[] key,
      byte[] value,
      BinaryOperator<byte @Nullable []> remapping,
      Durability durability) {
    Objects.requireNonNull(value, "value");
    UnaryOperator<byte @Nullable []> merging =
        before -> before == null ? value : remapping.apply(before, value);
    byte[] after = update(key, merging, durability).after();
    return after == null ? null : after.clone();
  }

  /// Puts the large value of a key again, to new extents, unless the key was changed concurrently.
  ///
  /// @return false if that would have to wait for a lock, or for room in the log
  boolean tryPutAgain(byte[] key, StoredValue stored) {
    NewValue moved = copyAgain(key, stored);
    if (moved == null) {
      return true;
    }
    OneChange change = new OneChange(id, key, moved, true, stored);
    return commit(change, committer::tryApplyOne) != OneChange.NOT_NOW;
  }

  private NewValue storeAgain(byte[] value) {
    return isLarge(value.length)
        ? storeLarge(value, LOGGED_BYTES_MIN, Capacity.AS_IT_IS)
        : NewValue.inline(value);
  }

  /// Writes a large value to new extents. A long one passes chunk by chunk: it may be longer than
  /// the heap has room for.
  ///
  /// @return null if the key was changed since it was read
  private @Nullable NewValue copyAgain(byte[] key, StoredValue stored) {
    long length = LargeReference.length(stored.bytes(), 0);
    try {
      // Whoever moves values must get them through a log without room for their bytes.
      return length > LOGGED_BYTES_MIN
          ? storeLarge(stored.open(tree.pages().file()), length, null, Capacity.AS_IT_IS)
          : storeAgain(stored.read(tree.pages().file()));
    } catch (CorruptStoreException e) {
      tree.requireNotEnded();
      if (stored.equals(tree.stored(null, key))) {
        throw tree.pages().file().damaged(e);
      }
      return null; // the extents were reused
    }
  }

  private record Update(byte @Nullable [] before, byte @Nullable [] after) {}

  /// Replaces the value of a key by a function of it, as one step: reads it, computes outside of
  /// all locks, and commits if the leaf still holds what was read; otherwise again. A result that
  /// is the very array that was read changes nothing.
  @SuppressWarnings("ReferenceEquality") // the same array: the function asks for no change
  private Update update(
      byte[] key, UnaryOperator<byte @Nullable []> function, Durability durability) {
    requireKey(key);
    while (true) {
      requireUsable();
      ReadValue read = tree.getLive(key);
      StoredValue stored = read == null ? null : read.stored();
      byte[] before = read == null ? null : read.bytes();
      byte[] after = function.apply(before);
      if (before == after) {
        return new Update(before, after);
      }
      NewValue value = after == null ? null : store(after);
      long commit = commit(new OneChange(id, key, value, true, stored));
      if (commit != OneChange.NOT_AS_EXPECTED) {
        committer.await(commit, durability);
        return new Update(before, after);
      }
    }
  }

  @Override
  public long deleteRange(Range range) {
    return deleteRange(range, committer.defaultDurability());
  }

  long deleteRange(Range range, Durability durability) {
    long[] removed = new long[1];
    store.transact(durability, transaction -> removed[0] = transaction.deleteRange(this, range));
    return removed[0];
  }

  @Override
  public Cursor cursor(Range range) {
    requireUsable();
    return new EntryCursor(
        new TreeCursor(tree, null, range.from(), range.to()),
        new LargeReads(),
        this::requireUsable);
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
    requireUsable();
    return tree.approximateBytes(range.from(), range.to());
  }

  @Override
  public SpaceStatistics statistics() {
    requireUsable();
    Tree.Size size = tree.size();
    return new SpaceFigures(name(), size.entries(), size.bytes(), size.depth());
  }

  @Override
  public String toString() {
    return "Space[" + name() + "]";
  }

  /// Casts a space that a user gave.
  ///
  /// @throws IllegalArgumentException if it belongs to another store
  @SuppressWarnings("ReferenceEquality") // each open store is itself alone
  static LiveSpace of(Space space, Store store) {
    Space target = space instanceof SpaceView view ? view.live() : space;
    if (target instanceof LiveSpace live && live.store == store) {
      live.requireUsable();
      return live;
    }
    throw new IllegalArgumentException("the space belongs to another store: space=" + space.name());
  }
}
