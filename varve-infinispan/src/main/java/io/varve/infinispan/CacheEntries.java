package io.varve.infinispan;

import io.varve.Commit;
import io.varve.Cursor;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Statistics;
import io.varve.Store;
import io.varve.Transaction;
import io.varve.spi.NonBlockingSpace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// The entries of one cache in a Varve store: the space `entries` holds them by [EntryKey], the
/// space `expiry` records by [ExpiryKey] when those that expire do.
///
/// - (E1) An entry that expires has a key in the expiry index. Each commit that sets such an entry
///   sets that key as well.
/// - (E2) A key of the index may be stale: its entry is gone, or expires at another time. So a
///   thread that follows one looks at the entry. Only writers of one key that run at the same time
///   leave stale keys, and purges remove them.
/// - (E3) While [#mayExpire] is false the index is empty, and no commit under way sets a key of it.
///
/// Every method but those that try may wait for the disk. Safe for any number of threads.
final class CacheEntries implements AutoCloseable {
  /// Entries that one commit removes or moves, so that its memory and its record stay small however
  /// large the cache is.
  private static final int COMMIT_ENTRIES_MAX = 4096;

  /// Bytes of values that one commit moves, at most one value more.
  private static final int MOVED_BYTES_MAX = 1 << 20;

  /// Keys of the index that one commit of a purge follows.
  private static final int PURGE_ENTRIES_MAX = 256;

  private static final byte[] EMPTY = {};
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private final Store store;
  private final Space entries;
  private final NonBlockingSpace withoutWaiting; // of entries
  private final Space expiry;

  /// Whether the index may hold a key. Set before the first commit that adds one, never cleared
  /// while the store is open: caches whose entries never expire pay nothing for those that do.
  private volatile boolean mayExpire;

  /// @param store closed with this
  CacheEntries(Store store) {
    this.store = store;
    this.entries = store.space("entries");
    this.withoutWaiting = NonBlockingSpace.of(entries);
    this.expiry = store.space("expiry");
    try (Cursor cursor = expiry.cursor(Range.all())) {
      this.mayExpire = cursor.first();
    }
  }

  /// Sees to it that each entry is in the segment of its key: a new store notes the number of
  /// segments, and a store that was made with another one has its entries moved. If that breaks
  /// off, the next call moves the rest, to whatever number it is given. No other thread may use the
  /// entries concurrently.
  ///
  /// @param segmentOf the segment of the entry that has a key
  void spread(int segments, ToIntFunction<byte[]> segmentOf, LongConsumer reading) {
    Space space = store.space(Layout.SPACE);
    Layout wanted = new Layout(segments);
    Layout found = Layout.read(space);
    if (wanted.equals(found)) {
      return;
    }
    if (found != null) {
      // Whatever number the next start wants, it is not that of all entries if this breaks off.
      Layout.MOVING.write(space);
      try (Snapshot snapshot = store.snapshot();
          Cursor cursor = snapshot.cursor(entries, Range.all())) {
        while (moveSome(cursor, segmentOf, reading)) {}
      }
    }
    wanted.write(space);
  }

  /// Moves what of the next entries is in another segment than that of its key, as one commit.
  ///
  /// @return whether there may be more
  private boolean moveSome(Cursor cursor, ToIntFunction<byte[]> segmentOf, LongConsumer reading) {
    List<Change> changes = new ArrayList<>();
    boolean more = true;
    long bytes = 0;
    int read = 0;
    for (; read < COMMIT_ENTRIES_MAX && bytes < MOVED_BYTES_MAX && more; read++) {
      more = cursor.next();
      if (more) {
        byte[] key = cursor.key();
        int segment = segmentOf.applyAsInt(key);
        if (segment != EntryKey.segment(key)) {
          changes.add(new Change.Removal(key));
          changes.add(new Change.Put(EntryKey.inSegment(segment, key), cursor.value()));
          bytes += cursor.valueLength();
        }
      }
    }
    commit(changes).toCompletableFuture().join();
    reading.accept(read);
    return more;
  }

  /// Begins a session of the store. To be called once, before any change.
  StoreSession begin() {
    return StoreSession.begin(store.space(Layout.SPACE));
  }

  /// Ends a session, after all of its changes.
  void end(StoreSession session) {
    session.end(store.space(Layout.SPACE));
  }

  /// The value of an entry, expired or not, or null.
  byte @Nullable [] get(byte[] key) {
    return entries.get(key);
  }

  /// Reads an entry as [#get] does, unless that would have to wait.
  ///
  /// @param found takes the value, or null
  /// @return false if it would have to wait
  boolean tryGet(byte[] key, Consumer<byte @Nullable []> found) {
    return withoutWaiting.tryGet(key, found);
  }

  /// When the entry of a key expires, [EntryValue#NEVER] if it does not or there is none.
  private long expiry(byte[] key) {
    Long time = entries.get(key, CacheEntries::expiry);
    return time == null ? EntryValue.NEVER : time;
  }

  /// Whether there is an entry of that key that has not expired.
  boolean contains(byte[] key, long now) {
    Long time = entries.get(key, CacheEntries::expiry);
    return time != null && !EntryValue.isExpired(time, now);
  }

  private static Long expiry(MemorySegment value) {
    byte[] start = new byte[(int) Math.min(value.byteSize(), EntryValue.EXPIRY_BYTES)];
    MemorySegment.copy(value, BYTE, 0, start, 0, start.length);
    return EntryValue.expiry(start);
  }

  /// Makes a change. It is visible when this returns.
  ///
  /// @return completes on a thread of the store when the commit is as durable as the store promises
  CompletionStage<Commit> commit(Change change) {
    if (expires(change)) {
      mayExpire = true;
    }
    long replaced = replacedExpiry(change);
    if (replaced > 0 || expires(change)) {
      try (Transaction transaction = store.begin()) {
        add(change, replaced, transaction);
        return transaction.commitAsync(store.options().durability());
      }
    }
    return switch (change) {
      case Change.Put(byte[] key, byte[] value) -> entries.async().put(key, value);
      case Change.Removal(byte[] key) -> entries.async().delete(key);
    };
  }

  /// Makes a change as [#commit(Change)] does, unless that would have to wait, or the index has to
  /// be changed as well.
  ///
  /// @return null if nothing was changed
  @Nullable CompletionStage<Commit> tryCommit(Change change) {
    if (expires(change) || !tryReplacesNoExpiry(change)) {
      return null;
    }
    return switch (change) {
      case Change.Put(byte[] key, byte[] value) -> withoutWaiting.tryPut(key, value);
      case Change.Removal(byte[] key) -> withoutWaiting.tryDelete(key);
    };
  }

  private boolean tryReplacesNoExpiry(Change change) {
    if (!mayExpire) {
      return true;
    }
    boolean[] expires = {true};
    withoutWaiting.tryGet(
        change.key(), value -> expires[0] = value != null && EntryValue.expiry(value) > 0);
    return !expires[0];
  }

  /// Makes the changes in their order, as one commit. They are visible when this returns.
  ///
  /// @return completes on a thread of the store when the commit is as durable as the store promises
  CompletionStage<Commit> commit(List<Change> changes) {
    if (changes.stream().anyMatch(CacheEntries::expires)) {
      mayExpire = true;
    }
    try (Transaction transaction = store.begin()) {
      for (Change change : changes) {
        add(change, replacedExpiry(change), transaction);
      }
      return transaction.commitAsync(store.options().durability());
    }
  }

  /// When the entry that a change replaces expires. It is not read in the transaction, whose commit
  /// would conflict with those of other writers: an entry that is put in between leaves a stale
  /// key.
  private long replacedExpiry(Change change) {
    return mayExpire ? expiry(change.key()) : EntryValue.NEVER;
  }

  private void add(Change change, long replaced, Transaction transaction) {
    if (replaced > 0) {
      transaction.delete(expiry, ExpiryKey.of(replaced, change.key()));
    }
    switch (change) {
      case Change.Put(byte[] key, byte[] value) -> {
        transaction.put(entries, key, value);
        long time = EntryValue.expiry(value);
        if (time > 0) {
          // E1, and after the delete: the old time may be the new one.
          transaction.put(expiry, ExpiryKey.of(time, key), EMPTY);
        }
      }
      case Change.Removal(byte[] key) -> transaction.delete(entries, key);
    }
  }

  private static boolean expires(Change change) {
    return change instanceof Change.Put(_, byte[] value) && EntryValue.expiry(value) > 0;
  }

  /// The number of entries in `ranges`, those that have expired and were not purged yet included.
  /// Reads a few pages for each range, however many entries there are.
  long count(List<Range> ranges) {
    try (Snapshot snapshot = store.snapshot()) {
      return count(snapshot, ranges);
    }
  }

  /// The number of entries in `ranges` that have not expired. Reads what has, as well.
  long count(List<Range> ranges, long now) {
    try (Snapshot snapshot = store.snapshot()) {
      long count = count(snapshot, ranges);
      if (mayExpire) {
        try (Cursor due = snapshot.cursor(expiry, ExpiryKey.until(now))) {
          while (due.next()) {
            byte[] key = ExpiryKey.entryKey(due.key());
            if (EntryKey.isIn(ranges, key) && isCurrent(snapshot.get(entries, key), due.key())) {
              count--;
            }
          }
        }
      }
      return count;
    }
  }

  private long count(Snapshot snapshot, List<Range> ranges) {
    return ranges.stream().mapToLong(range -> snapshot.count(entries, range)).sum();
  }

  /// Whether an entry expires at the time in a key of the index (E2).
  private static boolean isCurrent(byte @Nullable [] value, byte[] expiryKey) {
    return value != null && EntryValue.expiry(value) == ExpiryKey.time(expiryKey);
  }

  /// The entries in `ranges` that have not expired at `now`, as of this call. Close it.
  EntryScan scan(List<Range> ranges, long now) {
    return new EntryScan(store.snapshot(), entries, ranges, now);
  }

  /// What `reading` makes of the same entries, as a stream that threads share by ranges. Close it:
  /// it holds a snapshot.
  <T> Stream<T> stream(List<Range> ranges, long now, Function<Cursor, T> reading) {
    Snapshot snapshot = store.snapshot();
    return StreamSupport.stream(
            new EntrySpliterator<>(snapshot, entries, ranges, now, reading), false)
        .onClose(snapshot::close);
  }

  /// Removes all entries in `ranges`, in commits of a bounded size. An entry that is put
  /// concurrently stays or goes.
  void remove(List<Range> ranges) {
    for (Range range : ranges) {
      Range rest = range;
      while (rest != null) {
        Range now = rest;
        rest = store.transactAndGet(transaction -> removeSome(transaction, now));
      }
    }
  }

  /// Removes the first entries in `range`, and their keys in the index.
  ///
  /// @return the range after them, or null if none is left
  private @Nullable Range removeSome(Transaction transaction, Range range) {
    byte[] start = new byte[EntryValue.EXPIRY_BYTES];
    byte[] next = null;
    try (Cursor cursor = transaction.cursor(entries, range)) {
      for (int read = 0; cursor.next(); read++) {
        if (read == COMMIT_ENTRIES_MAX) {
          next = cursor.key();
          break;
        }
        if (mayExpire) {
          cursor.readValue(start);
          long time = EntryValue.expiry(start);
          if (time > 0) {
            transaction.delete(expiry, ExpiryKey.of(time, cursor.key()));
          }
        }
      }
    }
    if (next == null) {
      transaction.deleteRange(entries, range);
      return null;
    }
    transaction.deleteRange(entries, range.intersect(Range.lessThan(next)));
    return range.intersect(Range.atLeast(next));
  }

  /// Begins a purge of what has expired at `now`.
  Purge purge(long now) {
    return new Purge(now);
  }

  /// Removes what has expired, step by step. For one thread at a time.
  final class Purge {
    /// What of the index is to be followed yet. It shrinks with each step, so that a purge ends
    /// whatever is put concurrently.
    private Range rest;

    private Purge(long now) {
      this.rest = ExpiryKey.until(now);
    }

    /// Removes some entries, as one commit.
    ///
    /// @return what was removed, or null if nothing is left to do; empty if keys were stale
    @Nullable List<Entry> step() {
      List<byte[]> due = due();
      if (due.isEmpty()) {
        return null;
      }
      rest = rest.intersect(Range.greaterThan(due.getLast()));
      return store.transactAndGet(transaction -> {
        List<Entry> removed = new ArrayList<>();
        for (byte[] expiryKey : due) {
          byte[] key = ExpiryKey.entryKey(expiryKey);
          // Read in the transaction: an entry that is put concurrently is a conflict, and stays.
          byte[] value = transaction.get(entries, key);
          if (value != null && isCurrent(value, expiryKey)) {
            transaction.delete(entries, key);
            removed.add(new Entry(key, value));
          }
          transaction.delete(expiry, expiryKey);
        }
        return removed;
      });
    }

    private List<byte[]> due() {
      List<byte[]> due = new ArrayList<>();
      if (mayExpire) {
        try (Cursor cursor = expiry.cursor(rest)) {
          while (due.size() < PURGE_ENTRIES_MAX && cursor.next()) {
            due.add(cursor.key());
          }
        }
      }
      return due;
    }
  }

  /// All that the store holds, as of this call. Close it.
  StoreCopy copy() {
    return new StoreCopy(
        store.snapshot(), store.options(), List.of(store.space(Layout.SPACE), entries, expiry));
  }

  Statistics statistics() {
    return store.statistics();
  }

  @Override
  public void close() {
    store.close();
  }
}
