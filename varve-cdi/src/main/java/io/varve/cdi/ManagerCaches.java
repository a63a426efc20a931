package io.varve.cdi;

import io.varve.cache.CacheOptions;
import java.lang.annotation.Annotation;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.annotation.CacheInvocationContext;
import javax.cache.annotation.CacheMethodDetails;
import javax.cache.annotation.CacheResolver;
import javax.cache.annotation.CacheResolverFactory;
import javax.cache.annotation.CacheResult;

/// The caches of a manager by their names, looked up at each call: one that was destroyed is made
/// again.
///
/// Safe for threads.
///
/// @param manager of the caches
record ManagerCaches(CacheManager manager) implements CacheResolverFactory {
  /// The cache of that name, made if there is none.
  <K, V> Cache<K, V> cache(String name, Supplier<CacheOptions<K, V>> options) {
    Cache<K, V> present = manager.getCache(name);
    if (present != null) {
      return present;
    }
    try {
      return manager.createCache(name, options.get());
    } catch (CacheException e) {
      Cache<K, V> made = manager.getCache(name); // by another thread
      if (made == null) {
        throw e;
      }
      return made;
    }
  }

  @Override
  public CacheResolver getCacheResolver(CacheMethodDetails<? extends Annotation> method) {
    return new ByName(this, method.getCacheName());
  }

  @Override
  public CacheResolver getExceptionCacheResolver(CacheMethodDetails<CacheResult> method) {
    String name = method.getCacheAnnotation().exceptionCacheName();
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "the method has no cache for exceptions: method="
              + method.getMethod()
              + "; name one by exceptionCacheName");
    }
    return new ByName(this, name);
  }

  private record ByName(ManagerCaches caches, String name) implements CacheResolver {
    @Override
    public <K, V> Cache<K, V> resolveCache(CacheInvocationContext<? extends Annotation> call) {
      return caches.cache(name, CacheOptions::new);
    }
  }
}
