package io.varve.spring;

import io.varve.cache.UnreadableEntryException;
import io.varve.cache.VarveCache;
import org.springframework.cache.Cache;
import org.springframework.cache.interceptor.SimpleCacheErrorHandler;

/// Removes an entry that cannot be read, as after its class has changed, and lets the method run
/// that answers it again. All other failures are those of the call, as without this.
///
/// - **Threads:** safe for any number of threads.
final class UnreadableEntries extends SimpleCacheErrorHandler {
  @Override
  @SuppressWarnings("unchecked") // a class has no type parameters
  public void handleCacheGetError(RuntimeException exception, Cache cache, Object key) {
    if (!(exception instanceof UnreadableEntryException)) {
      throw exception;
    }
    ((javax.cache.Cache<Object, Object>) cache.getNativeCache())
        .unwrap(VarveCache.class)
        .removeUnreadable(key);
  }
}
