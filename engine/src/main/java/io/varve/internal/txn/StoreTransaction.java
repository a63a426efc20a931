package io.varve.internal.txn;

import io.varve.Commit;
import io.varve.ConflictException;
import io.varve.Cursor;
import io.varve.Decoder;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFailedException;
import io.varve.Transaction;
import io.varve.TransactionPoint;
import io.varve.Visibility;
import io.varve.internal.disk.StackProbe;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Reads from a snapshot taken at the first read, and writes kept until the commit. The commit
/// checks each range read: whether it holds the same entries now as in the snapshot (backward
/// validation by comparing trees, which share every page that did not change).
///
/// For one thread at a time.
public final class StoreTransaction implements Transaction, ReadPoint {
  private final Store store;
  private final Committer committer;
  private final Snapshots snapshots;
  private final ValueWriter values;
  private final Map<SpaceCore, SpaceWrites> writes = new LinkedHashMap<>();
  private final Map<SpaceCore, List<Range>> reads = new LinkedHashMap<>();
  private @Nullable StoreSnapshot snapshot;

  /// What reserves the spaces that this uses, or null while others may commit to them.
  private @Nullable AloneRun alone;

  /// The spaces that this wanted reserved, the last perhaps without success.
  private final Set<SpaceCore> included = new HashSet<>();

  /// The entry of `writes` that was used last.
  private @Nullable SpaceWrites lastWritten;

  /// Finds the spaces with the entries of indexes.
  private final IntFunction<@Nullable SpaceCore> spaces;

  /// Which keys have what in the unique indexes that this changes.
  private final Map<Indexing.Kept, UniqueClaims> claims = new LinkedHashMap<>();

  /// How much of large values may still be kept in memory for the log.
  private int loggedBytesLeft = ValueWriter.LOGGED_BYTES_MAX;

  /// The newest conflict of this transaction.
  private @Nullable ConflictException conflict;

  /// Whether the index entries written here agree with the changes: if not, nothing is committed.
  private final WholeChanges wholeChanges = new WholeChanges();

  /// What this needs of the heap.
  private final HeldMemory held;

  private boolean ended;

  /// Begins a transaction.
  ///
  /// @param held has nothing yet
  /// @param spaces finds a space by its id
  public StoreTransaction(
      Store store,
      Committer committer,
      Snapshots snapshots,
      ValueWriter values,
      HeldMemory held,
      IntFunction<@Nullable SpaceCore> spaces) {
    this.store = store;
    this.committer = committer;
    this.snapshots = snapshots;
    this.values = values;
    this.held = held;
    this.spaces = spaces;
  }

  @Override
  public Store store() {
    return store;
  }

  /// Reserves each space that is used from now on.
  void reserveIn(AloneRun run) {
    alone = run;
  }

  @Override
  public boolean isReadPointFixed() {
    return snapshot != null;
  }

  /// What was read: ranges of keys by space.
  Map<SpaceCore, List<Range>> reads() {
    return reads;
  }

  /// The spaces that were read or written, or were to be.
  Set<SpaceCore> spaces() {
    Set<SpaceCore> used = new HashSet<>(included);
    used.addAll(reads.keySet());
    used.addAll(writes.keySet());
    return used;
  }

  private SpaceCore use(Space space) {
    requireRunning();
    return use(SpaceHandle.coreOf(space, store));
  }

  private SpaceCore use(SpaceCore live) {
    AloneRun run = alone;
    if (run != null) {
      included.add(live);
      if (!run.include(live)) {
        throw conflict(
            "another transaction runs alone over the space: space="
                + live.name()
                + "; run the transaction again");
      }
    }
    return live;
  }

  private ConflictException conflict(String message) {
    ConflictException exception = new ConflictException(message);
    conflict = exception;
    return exception;
  }

  /// What this needs of the heap.
  HeldMemory held() {
    return held;
  }

  /// Whether a conflict is this transaction's own, and not that of another one that the body ran.
  @SuppressWarnings("ReferenceEquality") // two conflicts may have equal messages
  boolean isOwn(ConflictException exception) {
    return conflict == exception;
  }

  private void requireRunning() {
    committer.lifecycle().requireOpen();
    if (ended) {
      throw new IllegalStateException(
          "the transaction has ended by commit or close; begin another");
    }
  }

  private StoreSnapshot snapshot() {
    StoreSnapshot present = snapshot;
    if (present == null) {
      present = snapshots.take(Visibility.APPLIED);
      snapshot = present;
    }
    return present;
  }

  private StoreSnapshot reading(SpaceCore space, Range range) {
    held.read(range);
    reads.computeIfAbsent(space, _ -> new ArrayList<>()).add(range);
    return snapshot();
  }

  private @Nullable NavigableMap<byte[], KeyWrite> writesOf(SpaceCore space) {
    SpaceWrites present = writes.get(space);
    return present == null ? null : present.index();
  }

  private boolean wrote(SpaceCore space, byte[] key) {
    NavigableMap<byte[], KeyWrite> own = writesOf(space);
    return own != null && own.containsKey(key);
  }

  private byte @Nullable [] ownValue(SpaceCore space, byte[] key) {
    NavigableMap<byte[], KeyWrite> own = writesOf(space);
    KeyWrite write = own == null ? null : own.get(key);
    NewValue value = write == null ? null : write.value();
    return value == null ? null : value.stored().read(space.tree().pages().file()).clone();
  }

  @Override
  public byte @Nullable [] get(Space space, byte[] key) {
    SpaceCore live = use(space);
    SpaceCore.requireKey(key);
    return wrote(live, key)
        ? ownValue(live, key)
        : reading(live, Range.exactly(key)).get(space, key);
  }

  @Override
  public <T> @Nullable T get(Space space, byte[] key, Decoder<T> decoder) {
    SpaceCore live = use(space);
    SpaceCore.requireKey(key);
    if (wrote(live, key)) {
      byte[] value = ownValue(live, key);
      return value == null ? null : decoder.decode(MemorySegment.ofArray(value).asReadOnly());
    }
    return reading(live, Range.exactly(key)).get(space, key, decoder);
  }

  @Override
  public List<byte @Nullable []> getAll(Space space, List<byte[]> keys) {
    SpaceCore live = use(space);
    List<byte[]> unwritten = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      if (!wrote(live, SpaceCore.requireKey(key))) {
        unwritten.add(key);
      }
    }
    unwritten.forEach(key -> reading(live, Range.exactly(key)));
    Iterator<byte @Nullable []> read =
        (unwritten.isEmpty() ? List.<byte @Nullable []>of() : snapshot().getAll(space, unwritten))
            .iterator();
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      values.add(wrote(live, key) ? ownValue(live, key) : read.next());
    }
    return values;
  }

  @Override
  public boolean contains(Space space, byte[] key) {
    SpaceCore live = use(space);
    SpaceCore.requireKey(key);
    NavigableMap<byte[], KeyWrite> own = writesOf(live);
    KeyWrite write = own == null ? null : own.get(key);
    if (write != null) {
      return write.value() != null;
    }
    return reading(live, Range.exactly(key)).contains(space, key);
  }

  @Override
  public Cursor cursor(Space space, Range range) {
    return cursor(space, range, Integer.MAX_VALUE);
  }

  /// @param count only the first ones of the writes to the space are shown
  private Cursor cursor(Space space, Range range, int count) {
    SpaceCore live = use(space);
    EntryCursor base = reading(live, range).cursor(space, range);
    SpaceWrites own = writes.get(live);
    return own == null || own.isEmpty() || range.isEmpty() ? base : own.over(base, range, count);
  }

  @Override
  public TransactionPoint point() {
    return new WritePoint(this, this::cursor, writes);
  }

  @Override
  public Iterable<Entry> scan(Space space, Range range) {
    use(space);
    return () -> new EntryIterator(cursor(space, range));
  }

  @Override
  public long count(Space space, Range range) {
    SpaceCore live = use(space);
    if (!writes.containsKey(live)) {
      return reading(live, range).count(space, range);
    }
    long count = 0;
    try (Cursor cursor = cursor(space, range)) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  @Override
  public void put(Space space, byte[] key, byte[] value) {
    SpaceCore live = use(space);
    byte[] ownKey = SpaceCore.ownKey(key);
    byte[] ownValue = Objects.requireNonNull(value, "value").clone();
    SpaceWrites own = changesOf(live);
    Indexing indexing = own.indexing();
    if (indexing != null) {
      indexing.change(ownKey, get(space, ownKey), ownValue, new IndexEntries(live, ownKey));
    }
    put(live, own, ownKey, ownValue);
    wholeChanges.end();
  }

  @Override
  public void delete(Space space, byte[] key) {
    SpaceCore live = use(space);
    byte[] ownKey = SpaceCore.ownKey(key);
    SpaceWrites own = changesOf(live);
    Indexing indexing = own.indexing();
    if (indexing != null) {
      indexing.change(ownKey, get(space, ownKey), null, new IndexEntries(live, ownKey));
    }
    own.delete(ownKey);
    wholeChanges.end();
  }

  /// Writes to the space with the entries of an index, or to its workspace, for the thread that
  /// builds the index.
  ///
  /// @param value null to delete the key; or else belongs to this transaction from now on
  public void write(Space space, byte[] key, byte @Nullable [] value) {
    SpaceCore live = use(space);
    SpaceWrites own = writesTo(live);
    if (value == null) {
      own.delete(key);
    } else {
      put(live, own, key, value);
    }
  }

  private void put(SpaceCore space, SpaceWrites own, byte[] key, byte[] value) {
    if (!space.isLarge(value.length)) {
      own.put(key, value);
      return;
    }
    NewValue stored = values.writeLarge(space, value, loggedBytesLeft);
    if (stored.content() != null) {
      loggedBytesLeft -= Math.min(loggedBytesLeft, value.length);
    }
    own.putLarge(key, stored);
  }

  /// Whether the changes that this transaction has made of a space brought those of an index with
  /// them.
  ///
  /// @param index the id of the space with its entries
  public boolean keeps(Space indexed, int index) {
    SpaceWrites own = writes.get(use(indexed));
    if (own == null) {
      return true;
    }
    Indexing indexing = own.indexing();
    return indexing != null && indexing.kept().stream().anyMatch(kept -> kept.entries() == index);
  }

  /// The newest commit that the reads of this transaction see.
  public Commit readCommit() {
    requireRunning();
    return snapshot().lastCommit();
  }

  /// Writes the index entries of one key into this transaction.
  private final class IndexEntries implements Indexing.Sink {
    private final SpaceCore indexed;
    private final byte[] key;

    IndexEntries(SpaceCore indexed, byte[] key) {
      this.indexed = indexed;
      this.key = key;
    }

    private SpaceCore entriesOf(Indexing.Kept index) {
      SpaceCore entries = spaces.apply(index.entries());
      if (entries == null) {
        throw dropped(index);
      }
      return use(entries);
    }

    @Override
    public void remove(Indexing.Kept index, byte[] prefix) {
      wholeChanges.entry();
      SpaceCore entries = entriesOf(index);
      noteRemoved(entries, prefix);
      if (index.definition().isUnique()) {
        set(entries, prefix, claims(index, entries, prefix).remove(prefix, key));
      } else {
        writesTo(entries).delete(Indexing.entry(prefix, key));
      }
    }

    @Override
    public void add(Indexing.Kept index, byte[] prefix) {
      wholeChanges.entry();
      SpaceCore entries = entriesOf(index);
      if (index.definition().isUnique()) {
        set(entries, prefix, claims(index, entries, prefix).add(prefix, key));
      } else {
        writesTo(entries).put(Indexing.entry(prefix, key), new byte[0]);
      }
    }

    /// Notes an entry that goes while the index is built (WORKSPACE-1).
    private void noteRemoved(SpaceCore entries, byte[] prefix) {
      SpaceCore workspace = writesTo(entries).workspace(spaces);
      if (workspace != null) {
        byte[] entry = Indexing.entry(prefix, key);
        writesTo(use(workspace)).put(IndexWorkspace.removed(entry), new byte[0]);
      }
    }

    private void set(SpaceCore entries, byte[] prefix, byte @Nullable [] keyOfEntry) {
      if (keyOfEntry == null) {
        writesTo(entries).delete(prefix);
      } else {
        writesTo(entries).put(prefix, keyOfEntry);
      }
    }

    private UniqueClaims claims(Indexing.Kept index, SpaceCore entries, byte[] prefix) {
      UniqueClaims known = claims.computeIfAbsent(index, _ -> new UniqueClaims(indexed.name()));
      if (!known.isKnown(prefix)) {
        held.claim(prefix.length);
        known.found(prefix, present(index, entries, prefix));
      }
      return known;
    }

    private byte @Nullable [] present(Indexing.Kept index, SpaceCore entries, byte[] prefix) {
      try {
        return reading(entries, Range.exactly(prefix)).get(entries, prefix);
      } catch (IllegalStateException e) {
        if (entries.isDropped()) {
          throw dropped(index);
        }
        throw e;
      }
    }

    private ConflictException dropped(Indexing.Kept index) {
      return conflict(
          "an index was dropped: space="
              + indexed.name()
              + ", index="
              + index.name()
              + "; run the transaction again");
    }
  }

  /// The writes to a space, for a user's change that begins here. Those of its index entries follow
  /// from the indexes that it had at the first one (INDEXES-2).
  private SpaceWrites changesOf(SpaceCore space) {
    wholeChanges.begin();
    SpaceWrites own = writesTo(space);
    Indexing indexing = own.indexing();
    if (indexing != null) {
      indexing.requireChangeable();
    }
    return own;
  }

  private SpaceWrites writesTo(SpaceCore space) {
    SpaceWrites last = lastWritten;
    if (last == null || last.space() != space) {
      last = writes.computeIfAbsent(space, _ -> new SpaceWrites(space, held));
      lastWritten = last;
    }
    return last;
  }

  @Override
  public long deleteRange(Space space, Range range) {
    SpaceCore live = use(space);
    SpaceWrites own = changesOf(live);
    Indexing indexing = own.indexing();
    List<byte[]> keys = new ArrayList<>();
    try (Cursor cursor = cursor(space, range)) {
      while (cursor.next()) {
        byte[] key = cursor.key();
        if (indexing != null) {
          indexing.change(key, cursor.value(), null, new IndexEntries(live, key));
        }
        held.delete(key.length);
        keys.add(key);
      }
    }
    if (!keys.isEmpty()) {
      own.deleteRange(keys);
    }
    wholeChanges.end();
    return keys.size();
  }

  @Override
  public Commit commit() {
    return commit(committer.defaultDurability());
  }

  @Override
  public Commit commit(Durability durability) {
    committer.requireSupported(durability);
    return committer.await(apply(), durability);
  }

  @Override
  public CompletionStage<Commit> commitAsync(Durability durability) {
    committer.requireSupported(durability);
    return committer.whenDurable(apply(), durability);
  }

  /// Checks, applies and logs; the transaction has ended then, however it went.
  private long apply() {
    requireRunning();
    StackProbe.require();
    boolean done = false;
    try {
      held.requireGranted();
      wholeChanges.require();
      claims.forEach((index, claimed) -> claimed.requireUnique(index.name()));
      writes.values().removeIf(SpaceWrites::isEmpty);
      if (writes.isEmpty()) {
        StoreSnapshot read = snapshot;
        return read == null ? committer.order().lastCommit() : read.lastCommit().lsn();
      }
      Collection<SpaceWrites> changed = writes.values();
      changed.forEach(SpaceWrites::sort);
      TreeSet<SpaceCore> locked = new TreeSet<>(Comparator.comparingInt(SpaceCore::id));
      locked.addAll(writes.keySet());
      locked.addAll(reads.keySet());
      int copies = changed.stream().anyMatch(SpaceWrites::copiesLeaves) ? 2 : 1;
      long commit =
          committer.applyAll(
              List.copyOf(changed),
              List.copyOf(locked),
              readCheck(),
              bytes -> held.load(copies * bytes));
      if (commit == CommitOutcome.NOT_AS_EXPECTED) {
        throw countedConflict(
            "an index was added to a space, or dropped, while the transaction ran; run the"
                + " transaction again");
      }
      done = true;
      return commit;
    } catch (StoreFailedException e) {
      done = true; // Perhaps logged: the extents of large values must stay as they are.
      throw e;
    } catch (IllegalStateException e) {
      if (spaces().stream().anyMatch(used -> IndexNames.isIndex(used.name()) && used.isDropped())) {
        throw conflict("an index that the transaction read was dropped; run the transaction again");
      }
      throw e;
    } finally {
      end(done);
    }
  }

  private ReadCheck readCheck() {
    StoreSnapshot read = snapshot;
    return read == null ? ReadCheck.NOTHING : new ComparedReads(read, reads, this::countedConflict);
  }

  private ConflictException countedConflict(String message) {
    committer.order().countConflict();
    return conflict(message);
  }

  private void end(boolean committed) {
    ended = true;
    try {
      if (!committed) {
        writes.values().forEach(SpaceWrites::discard);
      }
    } finally {
      endWritesAndReads();
    }
  }

  private void endWritesAndReads() {
    StoreSnapshot read = snapshot;
    try {
      writes.values().forEach(SpaceWrites::end);
    } finally {
      held.end();
      if (read != null) {
        read.end();
      }
    }
  }

  @Override
  public void close() {
    if (!ended) {
      StackProbe.requireForClose();
      end(false);
    }
  }
}
