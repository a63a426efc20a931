package io.varve.spring;

import java.lang.System.Logger.Level;
import javax.cache.CacheException;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriterException;
import org.springframework.cache.Cache;
import org.springframework.cache.interceptor.SimpleCacheErrorHandler;

/// Removes an entry that cannot be read, as after its class has changed, and lets the method run
/// that answers it again. All other failures are those of the call, as without this.
///
/// - **Threads:** safe for any number of threads.
final class UnreadableEntries extends SimpleCacheErrorHandler {
  private static final System.Logger LOGGER = System.getLogger(UnreadableEntries.class.getName());

  @Override
  public void handleCacheGetError(RuntimeException exception, Cache cache, Object key) {
    if (!isUnreadable(exception)) {
      throw exception;
    }
    LOGGER.log(
        Level.WARNING,
        "an entry cannot be read and is removed, its method runs again: cache="
            + cache.getName()
            + ", key="
            + key,
        exception);
    cache.evict(key);
  }

  /// Whether a read failed at the bytes of an entry, and not at what else a cache calls.
  static boolean isUnreadable(RuntimeException exception) {
    return exception instanceof CacheException
        && !(exception instanceof CacheLoaderException)
        && !(exception instanceof CacheWriterException)
        && !(exception instanceof CacheEntryListenerException);
  }
}
