package io.varve.cdi;

import io.varve.cache.UnreadableEntryException;
import io.varve.cache.VarveCache;
import javax.cache.Cache;
import javax.cache.annotation.GeneratedCacheKey;
import org.jspecify.annotations.Nullable;

/// The entry that a call has in a cache.
///
/// Safe for threads.
///
/// @param <V> the values of the cache
record CallEntry<V>(Cache<Object, V> cache, GeneratedCacheKey key) {
  /// Its value; null if there is none. One that cannot be read, as after its class has changed, is
  /// removed.
  @Nullable V read() {
    try {
      return cache.get(key);
    } catch (UnreadableEntryException e) {
      varve().removeUnreadable(key);
      return null;
    }
  }

  @SuppressWarnings("unchecked") // a class has no type parameters
  private VarveCache<Object, V> varve() {
    return cache.unwrap(VarveCache.class);
  }
}
