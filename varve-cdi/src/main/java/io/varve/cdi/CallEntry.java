package io.varve.cdi;

import io.varve.cache.Flag;
import io.varve.cache.UnreadableEntryException;
import io.varve.cache.VarveCache;
import javax.cache.Cache;
import javax.cache.annotation.GeneratedCacheKey;
import javax.cache.integration.CacheWriterException;
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

  /// Sets its value after a call that has succeeded. What fails then is no failure of the call,
  /// unless it is one of the writer, or the handler throws it.
  ///
  /// @param value null for none: the entry is removed from the cache alone, as JCache has no nulls
  /// @param mayExist whether there may be a former value, which must not be there if this one is
  ///   not
  void keep(@Nullable V value, boolean mayExist, PutFailures failures) {
    if (value == null) {
      forget();
      return;
    }
    try {
      cache.put(key, value);
    } catch (CacheWriterException e) {
      throw e;
    } catch (RuntimeException e) {
      if (mayExist && !cache.isClosed()) {
        try {
          forget();
        } catch (RuntimeException stays) {
          e.addSuppressed(stays);
          throw e; // else later calls would be answered by what was there before
        }
      }
      failures.putFailed(cache.getName(), e);
    }
  }

  /// Removes it from the cache and not from the source.
  private void forget() {
    Cache<Object, V> alone;
    try {
      alone = varve().with(Flag.SKIP_STORE);
    } catch (IllegalArgumentException e) { // a cache of another provider
      alone = cache;
    }
    alone.remove(key);
  }

  @SuppressWarnings("unchecked") // a class has no type parameters
  private VarveCache<Object, V> varve() {
    return cache.unwrap(VarveCache.class);
  }
}
