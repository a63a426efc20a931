package io.varve.cache.internal.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.cache.CacheException;

/// The spaces of one cache: some for entries, which share its segments out, and one for the ends of
/// entries. They are named by a number. The space `caches` of a store holds for each cache its
/// number and how many segments it has; entries are spread anew by filling the spaces of another
/// number, which the cache then takes.
final class CacheSpaces {
  /// Each is a tree with a writer of its own.
  private static final int STRIPES = 8;

  private static final String CATALOG = "caches";
  private static final String PREFIX = "cache-";

  /// Entries moved by one commit.
  private static final int MOVED_PER_COMMIT = 1000;

  private final Store store;
  private final byte[] cacheName;
  private final int number;
  private final Space[] stripes;
  private final Space expiry;

  private CacheSpaces(Store store, byte[] cacheName, int number) {
    this.store = store;
    this.cacheName = cacheName;
    this.number = number;
    this.stripes = new Space[STRIPES];
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = store.space(PREFIX + number + "-" + i);
    }
    this.expiry = store.space(expiryName());
  }

  private String expiryName() {
    return PREFIX + number + "-expiry";
  }

  /// Opens the spaces of a cache; makes them if they are not there, and spreads the entries anew if
  /// they had another number of segments. One at a time, since numbers are given here.
  static synchronized CacheSpaces open(Store store, String name, Segments segments) {
    Space catalog = store.space(CATALOG);
    byte[] cacheName = name.getBytes(UTF_8);
    int free = dropUnnamed(store, catalog);
    byte[] known = catalog.get(cacheName);
    if (known == null) {
      CacheSpaces made = new CacheSpaces(store, cacheName, free);
      made.enter(catalog, segments);
      return made;
    }
    CacheSpaces found = new CacheSpaces(store, cacheName, number(known));
    if (ByteBuffer.wrap(known).getInt(Integer.BYTES) == segments.count()) {
      return found;
    }
    CacheSpaces anew = new CacheSpaces(store, cacheName, free);
    found.spreadInto(anew, segments);
    anew.enter(catalog, segments);
    found.dropSpaces();
    return anew;
  }

  private static int number(byte[] record) {
    if (record.length != 2 * Integer.BYTES) {
      throw new CacheException(
          "the catalog of caches is of another version: bytes="
              + record.length
              + "; open the store with the version that wrote it");
    }
    return ByteBuffer.wrap(record).getInt();
  }

  private void enter(Space catalog, Segments segments) {
    ByteBuffer record = ByteBuffer.allocate(2 * Integer.BYTES);
    record.putInt(number).putInt(segments.count());
    catalog.put(cacheName, record.array(), Durability.POWER_LOSS);
  }

  /// Drops spaces that no cache has: a process died that was about to make or drop one.
  ///
  /// @return a number that is free
  private static int dropUnnamed(Store store, Space catalog) {
    Set<Integer> named = new HashSet<>();
    catalog.scan(Range.all()).forEach(entry -> named.add(number(entry.value())));
    for (String name : List.copyOf(store.spaceNames().tailSet(PREFIX))) {
      if (!name.startsWith(PREFIX)) {
        break;
      }
      String number = name.substring(PREFIX.length(), name.lastIndexOf('-'));
      if (!named.contains(Integer.valueOf(number))) {
        store.dropSpace(name);
      }
    }
    return named.stream().mapToInt(Integer::intValue).max().orElse(-1) + 1;
  }

  private void spreadInto(CacheSpaces target, Segments segments) {
    for (Space stripe : stripes) {
      List<Entry> batch = new ArrayList<>(MOVED_PER_COMMIT);
      for (Entry entry : stripe.scan(Range.all())) {
        batch.add(entry);
        if (batch.size() == MOVED_PER_COMMIT) {
          target.take(batch, segments);
          batch.clear();
        }
      }
      target.take(batch, segments);
    }
  }

  private void take(List<Entry> batch, Segments segments) {
    store.transact(
        Durability.BACKGROUND,
        tx -> {
          for (Entry entry : batch) {
            byte[] key = PageRecord.keyBytes(entry.key(), entry.value());
            int segment = segments.of(key);
            byte[] storedKey = PageRecord.key(segment, key);
            tx.put(of(segment), storedKey, entry.value());
            long end = PageRecord.expiresAtMillis(entry.value());
            if (end != Held.NEVER) {
              tx.put(expiry, ExpiryIndex.key(end, storedKey), new byte[0]);
            }
          }
        });
  }

  /// The space of a segment.
  Space of(int segment) {
    return stripes[segment % STRIPES];
  }

  /// The space of the ends of entries.
  Space expiry() {
    return expiry;
  }

  /// Removes all entries.
  void clear() {
    Arrays.stream(stripes).forEach(stripe -> stripe.deleteRange(Range.all()));
    expiry.deleteRange(Range.all());
  }

  /// Takes the cache out of the store.
  void drop() {
    synchronized (CacheSpaces.class) {
      store.space(CATALOG).delete(cacheName);
      dropSpaces();
    }
  }

  private void dropSpaces() {
    Arrays.stream(stripes).forEach(stripe -> store.dropSpace(stripe.name()));
    store.dropSpace(expiryName());
  }
}
