package io.varve.cache.internal.container;

import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// The spaces of one cache, which share its segments out. Entries are spread again by filling the
/// spaces of another number, which the cache then takes: see [Catalog].
public final class CacheSpaces {
  /// Entries moved by one commit, and their bytes, at most one entry more.
  private static final int MOVED_COUNT_MAX = 1000;

  private static final int MOVED_BYTES_MAX = 1 << 20;

  private final Store store;
  private final String cacheName;
  private final Space[] stripes;

  private CacheSpaces(Store store, String cacheName, int number) {
    this.store = store;
    this.cacheName = cacheName;
    this.stripes =
        IntStream.range(0, Catalog.STRIPES)
            .mapToObj(stripe -> store.space(Catalog.spaceName(number, stripe)))
            .toArray(Space[]::new);
  }

  /// Opens the spaces of a cache; makes them if they are not there, and spreads the entries again
  /// if they had another number of segments. One at a time, since numbers are given out here.
  static synchronized CacheSpaces open(Store store, String cacheName, Segments segments) {
    Catalog catalog = Catalog.of(store);
    catalog.dropUnnamed();
    Catalog.Known known = catalog.find(cacheName);
    if (known != null && known.segments() == segments.count()) {
      return new CacheSpaces(store, cacheName, known.number());
    }
    if (known == null) {
      catalog.forgetClasses(cacheName); // a put may have recorded some while the cache was dropped
    }
    int number = catalog.giveOut();
    CacheSpaces made = new CacheSpaces(store, cacheName, number);
    if (known != null) {
      new CacheSpaces(store, cacheName, known.number()).spreadInto(made, segments);
    }
    catalog.name(cacheName, new Catalog.Known(number, segments.count()));
    catalog.dropUnnamed();
    return made;
  }

  /// Takes a cache out of a store, if it is there.
  public static synchronized void drop(Store store, String cacheName) {
    WaitingWrites.drop(store, cacheName);
    Catalog catalog = Catalog.find(store);
    if (catalog != null) {
      catalog.forget(cacheName);
      catalog.dropUnnamed();
    }
  }

  private void spreadInto(CacheSpaces target, Segments segments) {
    List<Entry> batch = new ArrayList<>();
    long batchBytes = 0;
    for (Space stripe : stripes) {
      for (Entry entry : stripe.scan(Range.lessThan(new byte[] {PageRecord.PLACE}))) {
        batch.add(entry);
        batchBytes += entry.key().length + entry.value().length;
        if (batch.size() == MOVED_COUNT_MAX || batchBytes >= MOVED_BYTES_MAX) {
          target.take(batch, segments);
          batch.clear();
          batchBytes = 0;
        }
      }
    }
    target.take(batch, segments);
  }

  private void take(List<Entry> batch, Segments segments) {
    store.transact(
        Durability.BACKGROUND,
        tx -> {
          for (Entry entry : batch) {
            MemorySegment value = MemorySegment.ofArray(entry.value());
            byte[] key = PageRecord.keyBytes(entry.key(), () -> value);
            int segment = segments.of(key);
            byte[] storedKey = PageRecord.key(segment, key);
            long end = PageRecord.expiresAtMillis(value);
            tx.put(of(segment), storedKey, entry.value());
            new ExpiryIndex(of(segment)).move(tx, storedKey, Held.NEVER, end);
          }
        });
  }

  /// The space of a segment.
  Space of(int segment) {
    return stripes[segment % stripes.length];
  }

  /// All spaces.
  List<Space> all() {
    return List.of(stripes);
  }

  /// Removes all entries, in commits of a bounded size: a cache may be larger than the heap.
  void clear() {
    Arrays.stream(stripes).forEach(stripe -> Clearing.clear(stripe, Range.all()));
  }

  /// Takes the cache out of the store.
  void drop() {
    drop(store, cacheName);
  }
}
