package io.varve.bench.cache;

import java.util.function.LongSupplier;
import javax.cache.Cache;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/// A JCache cache.
///
/// @param counting returns the number of entries, which JCache has no call for
record JCacheObjects(CachingProvider provider, Cache<String, byte[]> cache, LongSupplier counting)
    implements ObjectCache {
  @Override
  public byte @Nullable [] get(String key) {
    return cache.get(key);
  }

  @Override
  public void put(String key, byte[] value) {
    cache.put(key, value);
  }

  @Override
  public void remove(String key) {
    cache.remove(key);
  }

  @Override
  public long size() {
    return counting.getAsLong();
  }

  @Override
  public long iterate() {
    return ObjectCache.count(cache, Cache.Entry::getKey, Cache.Entry::getValue);
  }

  @Override
  public void close() {
    provider.close();
  }
}
