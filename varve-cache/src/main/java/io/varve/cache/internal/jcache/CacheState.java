package io.varve.cache.internal.jcache;

import io.varve.cache.CacheOptions;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import javax.cache.CacheManager;

/// What all views of a cache share.
///
/// @param classLoader keeps it, and so the manager in its provider, for as long as the cache is
///   open
/// @param open where its entries are
/// @param closed set once, under `closing`
/// @param closing held while the cache is being closed, so that a second closer waits for the first
record CacheState<K, V>(
    String name,
    CacheManager manager,
    ClassLoader classLoader,
    CacheOptions<K, V> options,
    OpenCache<K, V> open,
    Source<K, V> source,
    Counters counters,
    Expiry expiry,
    InstantSource clock,
    ManagementBeans beans,
    AtomicBoolean closed,
    ReentrantLock closing) {

  boolean isClosed() {
    return closed.get() || open.gate().isClosed();
  }

  void requireOpen() {
    if (isClosed()) {
      throw new IllegalStateException("the cache is closed: cache=" + name);
    }
  }
}
