package io.varve.cache.internal.container;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.cache.Marshaller;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The entries of a cache in the pages of a store, as bytes.
///
/// Segments are spread over several spaces, each of which takes one writer at a time. Sizes are
/// counted from the pages when this opens, which reads inner pages alone, and kept from then on.
///
/// Changes are steps under the lock of a key: those of one key come one after the other.
public final class PageEntries {
  private final Store store;
  private final CacheSpaces spaces;
  private final Durability durability;
  private final Segments segments;
  private final SegmentCounts counts;

  /// For each segment, how often keys of it were changed. Raised after a change, so that a thread
  /// that read the number of after it reads what the change left.
  private final AtomicIntegerArray changes;

  /// Opens the entries of a cache, whose spaces are made if they are not there.
  ///
  /// @param durability of changes
  public PageEntries(Store store, String cacheName, int segmentCount, Durability durability) {
    this.store = store;
    this.durability = durability;
    this.segments = new Segments(segmentCount);
    this.spaces = CacheSpaces.open(store, cacheName, segments);
    this.counts = new SegmentCounts(segmentCount);
    this.changes = new AtomicIntegerArray(segmentCount);
    for (int segment = 0; segment < segmentCount; segment++) {
      counts.add(segment, spaces.of(segment).count(range(segment)));
    }
  }

  static Range range(int segment) {
    return Range.of(PageRecord.firstKey(segment), PageRecord.firstKey(segment + 1));
  }

  Space space(int segment) {
    return spaces.of(segment);
  }

  int segmentOf(byte[] key) {
    return segments.of(key);
  }

  /// The durability of a change under a lock.
  Durability durability(KeyLock<?> lock) {
    return lock.isWaitingLater() && durability == Durability.POWER_LOSS
        ? Durability.PROCESS_CRASH
        : durability;
  }

  /// Waits until all changes have the durability of changes.
  void awaitChanges() {
    if (durability == Durability.POWER_LOSS) {
      force();
    }
  }

  SegmentCounts counts() {
    return counts;
  }

  @Nullable Held get(byte[] key) {
    int segment = segments.of(key);
    int changesBefore = changes(segment);
    return space(segment)
        .get(PageRecord.key(segment, key), stored -> PageRecord.held(stored, changesBefore));
  }

  /// How often keys of the segment of a key were changed, wrapping around. While no thread changes
  /// the key itself, it is in pages what it was for a thread that read it after the same number.
  int changes(byte[] key) {
    return changes(segments.of(key));
  }

  /// The same of a segment.
  int changes(int segment) {
    return changes.get(segment);
  }

  void put(byte[] key, byte[] value, long expiresAtMillis) {
    put(key, value, expiresAtMillis, durability);
  }

  void put(byte[] key, byte[] value, long expiresAtMillis, Durability chosen) {
    int segment = segments.of(key);
    try {
      put(segment, key, value, expiresAtMillis, chosen);
    } finally {
      changes.incrementAndGet(segment);
    }
  }

  private void put(int segment, byte[] key, byte[] value, long expiresAtMillis, Durability chosen) {
    Space space = space(segment);
    byte[] storedKey = PageRecord.key(segment, key);
    byte[] stored = PageRecord.value(key, value, expiresAtMillis);
    Long endBefore = end(space, storedKey);
    long placeBefore = endBefore == null ? Held.NEVER : endBefore;
    if (placeBefore == expiresAtMillis) {
      space.with(chosen).put(storedKey, stored); // its index key stays as it is, if it has one
    } else {
      store.transact(
          chosen,
          tx -> {
            tx.put(space, storedKey, stored);
            new ExpiryIndex(space).move(tx, storedKey, placeBefore, expiresAtMillis);
          });
    }
    if (endBefore == null) {
      counts.add(segment, 1);
    }
  }

  /// Sets when an entry ends, if it is there. Reads do this, and are not to wait for the disk.
  void expireAt(byte[] key, long expiresAtMillis) {
    Held held = get(key);
    if (held != null) {
      put(key, (byte[]) held.form(), expiresAtMillis, Durability.BACKGROUND);
    }
  }

  /// Removes a key, if it is there.
  void remove(byte[] key, Durability chosen) {
    int segment = segments.of(key);
    try {
      remove(segment, key, chosen);
    } finally {
      changes.incrementAndGet(segment);
    }
  }

  private void remove(int segment, byte[] key, Durability chosen) {
    Space space = space(segment);
    byte[] storedKey = PageRecord.key(segment, key);
    Long end = end(space, storedKey);
    if (end == null) {
      return;
    }
    if (end == Held.NEVER) {
      space.with(chosen).delete(storedKey);
    } else {
      store.transact(
          chosen,
          tx -> {
            tx.delete(space, storedKey);
            new ExpiryIndex(space).move(tx, storedKey, end, Held.NEVER);
          });
    }
    counts.add(segment, -1);
  }

  /// When an entry ends; null if there is none.
  private static @Nullable Long end(Space space, byte[] storedKey) {
    return space.get(storedKey, PageRecord::expiresAtMillis);
  }

  /// The keys of entries that are said to have ended by a time.
  <K> Iterator<K> expired(long nowMillis, Marshaller<K> keys) {
    return new ExpiredKeys<>(spaces.all(), keys, nowMillis);
  }

  /// All spaces as of one point.
  Snapshot snapshot() {
    return store.snapshot();
  }

  /// What `reading` makes of the entries of a segment.
  <T> Spliterator<T> spliterator(Snapshot snapshot, int segment, Function<Cursor, T> reading) {
    return snapshot.spliterator(space(segment), range(segment), reading);
  }

  /// Removes all. No step runs concurrently.
  void clear() {
    try {
      spaces.clear();
    } finally {
      for (int segment = 0; segment < counts.segments(); segment++) {
        changes.incrementAndGet(segment);
      }
    }
    counts.clear();
  }

  /// Makes all changes so far survive loss of power.
  void force() {
    store.awaitDurable(store.lastCommit());
  }

  /// Takes the cache out of the store.
  void destroy() {
    spaces.drop();
  }
}
