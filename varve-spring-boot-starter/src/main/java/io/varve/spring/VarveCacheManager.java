package io.varve.spring;

import io.varve.cache.CacheOptions;
import io.varve.cache.VarveCache;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.jcache.JCacheCache;
import org.springframework.cache.jcache.JCacheCacheManager;

/// The caches of Varve for `@Cacheable` and its like. A cache that was not named before is made
/// when it is first asked for.
///
/// - **Threads:** safe for any number of threads.
///
/// @since 1.0
public final class VarveCacheManager extends JCacheCacheManager {
  private final CacheManager manager;
  private final VarveProperties properties;
  private final SourceBeans beans;
  private final Collection<String> names;
  private final List<VarveCache<?, ?>> opened = new ArrayList<>(); // guarded by itself
  private @Nullable Consumer<VarveCache<?, ?>> observer; // guarded by `opened`

  /// @param names of the caches to be opened at the start
  VarveCacheManager(
      CacheManager manager,
      VarveProperties properties,
      SourceBeans beans,
      Collection<String> names) {
    super(manager);
    this.manager = manager;
    this.properties = properties;
    this.beans = beans;
    this.names = names;
  }

  @Override
  public void afterPropertiesSet() {
    names.forEach(this::open);
    super.afterPropertiesSet();
  }

  private void open(String name) {
    synchronized (opened) {
      if (manager.getCache(name) == null) {
        Cache<Object, Object> made = manager.createCache(name, properties.optionsOf(name, beans));
        VarveCache<?, ?> cache = made.unwrap(VarveCache.class);
        opened.add(cache);
        if (observer != null) {
          observer.accept(cache);
        }
      }
    }
  }

  @Override
  protected org.springframework.cache.@Nullable Cache getMissingCache(String name) {
    open(name);
    return super.getMissingCache(name);
  }

  @Override
  protected org.springframework.cache.Cache decorateCache(org.springframework.cache.Cache cache) {
    return super.decorateCache(cache instanceof JCacheCache given ? of(given) : cache);
  }

  private org.springframework.cache.Cache of(JCacheCache given) {
    Cache<Object, Object> cache = given.getNativeCache();
    return hasSource(cache)
        ? new SourcedCache(cache)
        : new AsynchronousCache(cache, isAllowNullValues());
  }

  @SuppressWarnings("unchecked") // a class has no type parameters
  private static boolean hasSource(Cache<Object, Object> cache) {
    CacheOptions<?, ?> options = cache.getConfiguration(CacheOptions.class);
    return options.getCacheLoaderFactory() != null || options.getCacheWriterFactory() != null;
  }

  /// Notifies one observer of all caches, now or as soon as they are opened.
  void observe(Consumer<VarveCache<?, ?>> reported) {
    synchronized (opened) {
      observer = Objects.requireNonNull(reported);
      opened.forEach(reported);
    }
  }
}
