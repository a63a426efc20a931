package io.varve.cache.internal.container;

import io.varve.Space;
import io.varve.cache.Marshaller;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/// The keys of entries in some spaces that ended by a time. Index keys that no entry has are
/// removed on the way. A key that cannot be read is left out and logged, so that those after it are
/// still found.
///
/// @param <K> the keys
final class ExpiredKeys<K> extends FoundKeys<K> {
  private static final System.Logger LOGGER = System.getLogger(ExpiredKeys.class.getName());

  private final Iterator<Space> spaces;
  private final Marshaller<K> keys;
  private final long nowMillis;
  private @Nullable ExpiryIndex index;
  private Iterator<byte[]> places = Collections.emptyIterator();

  ExpiredKeys(List<Space> spaces, Marshaller<K> keys, long nowMillis) {
    this.spaces = spaces.iterator();
    this.keys = keys;
    this.nowMillis = nowMillis;
  }

  @Override
  @Nullable K find() {
    K found = null;
    while (found == null) {
      if (places.hasNext() && index != null) {
        found = keyOf(index, places.next());
      } else if (spaces.hasNext()) {
        index = new ExpiryIndex(spaces.next());
        places = index.due(nowMillis);
      } else {
        return null;
      }
    }
    return found;
  }

  private @Nullable K keyOf(ExpiryIndex index, byte[] place) {
    try {
      byte[] storedKey = PageRecord.placeKey(place);
      byte[] stored = index.space().get(storedKey);
      MemorySegment value = stored == null ? null : MemorySegment.ofArray(stored);
      if (value != null && PageRecord.expiresAtMillis(value) == PageRecord.placeEndMillis(place)) {
        return keys.fromBytes(PageRecord.keyBytes(storedKey, () -> value));
      }
      index.drop(place);
    } catch (CacheException e) {
      LOGGER.log(
          Level.WARNING,
          "an entry of a cache has expired and its key cannot be read: bytes="
              + place.length
              + "; open the cache with the marshaller that wrote it",
          e);
    }
    return null;
  }
}
