package io.varve.cache.internal.container;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.cache.Marshaller;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Entries in the pages of a store, none of them on the heap.
///
/// Segments are spread over several spaces, each of which takes one writer at a time. Sizes are
/// counted from the pages when the container opens, which reads inner pages alone, and kept from
/// then on.
///
/// @param <K> the keys
/// @param <V> the values
public final class PagesContainer<K, V> implements Container<K, V> {
  private final Store store;
  private final CacheSpaces spaces;
  private final Marshaller<K> keys;
  private final Marshaller<V> values;
  private final Durability durability;
  private final Segments segments;
  private final SegmentCounts counts;
  private final ExpiryIndex expiry;

  /// Opens the container of a cache, which is made if it is not there.
  public PagesContainer(
      Store store,
      String cacheName,
      int segmentCount,
      Durability durability,
      Marshaller<K> keys,
      Marshaller<V> values) {
    this.store = store;
    this.keys = keys;
    this.values = values;
    this.durability = durability;
    this.segments = new Segments(segmentCount);
    this.spaces = CacheSpaces.open(store, cacheName, segments);
    this.expiry = new ExpiryIndex(spaces.expiry());
    this.counts = new SegmentCounts(segmentCount);
    for (int segment = 0; segment < segmentCount; segment++) {
      counts.add(segment, space(segment).count(range(segment)));
    }
  }

  private Space space(int segment) {
    return spaces.of(segment);
  }

  private static Range range(int segment) {
    return Range.of(PageRecord.firstKey(segment), PageRecord.firstKey(segment + 1));
  }

  @Override
  public @Nullable Held get(CacheKey<K> key) {
    int segment = segmentOf(key);
    byte[] stored = space(segment).get(PageRecord.key(segment, key.bytes()));
    return stored == null ? null : held(stored);
  }

  private static Held held(byte[] stored) {
    return new Held(stored, PageRecord.expiresAtMillis(stored));
  }

  @Override
  public V value(Held held) {
    return values.fromBytes(PageRecord.valueBytes((byte[]) held.form()));
  }

  @Override
  public void put(CacheKey<K> key, V value, long expiresAtMillis, @Nullable Held before) {
    putBytes(key, values.toBytes(value), expiresAtMillis, before == null);
  }

  /// Sets the bytes of a value.
  ///
  /// @param isNew whether the key is not there now
  void putBytes(CacheKey<K> key, byte[] value, long expiresAtMillis, boolean isNew) {
    int segment = segmentOf(key);
    byte[] storedKey = PageRecord.key(segment, key.bytes());
    if (expiresAtMillis != Held.NEVER) {
      // Before the entry: an end in the index without an entry does no harm.
      expiry.add(expiresAtMillis, storedKey);
    }
    space(segment)
        .put(storedKey, PageRecord.value(key.bytes(), value, expiresAtMillis), durability);
    if (isNew) {
      counts.add(segment, 1);
    }
  }

  @Override
  public void expireAt(CacheKey<K> key, Held held, long expiresAtMillis) {
    byte[] value = PageRecord.valueBytes((byte[]) held.form());
    putBytes(key, value, expiresAtMillis, false);
  }

  @Override
  public void remove(CacheKey<K> key, Held before) {
    int segment = segmentOf(key);
    space(segment).delete(PageRecord.key(segment, key.bytes()), durability);
    counts.add(segment, -1);
  }

  @Override
  public Iterator<K> keys(int segment) {
    return new Keys(space(segment).cursor(range(segment)));
  }

  @Override
  public int segments() {
    return segments.count();
  }

  @Override
  public int segmentOf(CacheKey<K> key) {
    return segments.of(key.bytes());
  }

  @Override
  public long size() {
    return counts.total();
  }

  @Override
  public long size(int segment) {
    return counts.of(segment);
  }

  @Override
  public void clear() {
    spaces.clear();
    counts.clear();
  }

  @Override
  public Iterator<K> expired(long nowMillis) {
    Iterator<byte[]> storedKeys = expiry.takeUntil(nowMillis);
    return new Found<>(() -> {
      while (storedKeys.hasNext()) {
        byte[] storedKey = storedKeys.next();
        int segment = (storedKey[0] & 0xff) << 8 | (storedKey[1] & 0xff);
        byte[] stored = segment < segments.count() ? space(segment).get(storedKey) : null;
        if (stored != null && PageRecord.expiresAtMillis(stored) <= nowMillis) {
          return keys.fromBytes(PageRecord.keyBytes(storedKey, stored));
        }
      }
      return null;
    });
  }

  @Override
  public void force() {
    store.awaitDurable(store.lastCommit());
  }

  @Override
  public void destroy() {
    spaces.drop();
  }

  @Override
  public void close() {
    // All is in the store, whose owner closes it.
  }

  /// The keys under a cursor, which is closed at the end.
  private final class Keys implements Iterator<K> {
    private final Cursor cursor;
    private boolean isThere;

    Keys(Cursor cursor) {
      this.cursor = cursor;
      this.isThere = cursor.next();
    }

    @Override
    public boolean hasNext() {
      return isThere;
    }

    @Override
    public K next() {
      if (!isThere) {
        throw new NoSuchElementException("no more keys in the segment");
      }
      byte[] key = PageRecord.keyBytes(cursor.key(), cursor.value());
      isThere = cursor.next();
      if (!isThere) {
        cursor.close();
      }
      return keys.fromBytes(key);
    }
  }

  /// An iterator of what a supplier gives until it gives null.
  private static final class Found<T> implements Iterator<T> {
    private final Supplier<@Nullable T> source;
    private @Nullable T next;

    Found(Supplier<@Nullable T> source) {
      this.source = source;
      this.next = source.get();
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public T next() {
      T given = next;
      if (given == null) {
        throw new NoSuchElementException("no more expired entries");
      }
      next = source.get();
      return given;
    }
  }
}
