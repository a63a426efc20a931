package io.varve.grid.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.cache.impl.AbstractDelegatingAdvancedCache;
import org.infinispan.commons.CacheException;
import org.infinispan.metadata.Metadata;
import org.infinispan.server.memcached.MemcachedServer;

/// The cache of a server of memcached, whose values do not grow beyond the longest request
/// (BOUND-1). `append` and `prepend` of the text protocol are refused where the value would be
/// longer. Those of the binary protocol are where it is as long already, since they pass a
/// function: they are answered that nothing was stored, as Infinispan answers none of their
/// failures.
final class MemcachedValues<K, V> extends AbstractDelegatingAdvancedCache<K, V> {
  /// Infinispan publishes no way to set it. A version without it does not start.
  private static final VarHandle CACHE = cacheOfServer();

  private final long valueBytesMax;

  private MemcachedValues(AdvancedCache<K, V> cache, long valueBytesMax) {
    super(cache);
    this.valueBytesMax = valueBytesMax;
  }

  private static VarHandle cacheOfServer() {
    try {
      return MethodHandles.privateLookupIn(MemcachedServer.class, MethodHandles.lookup())
          .findVarHandle(MemcachedServer.class, "memcachedCache", Cache.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Bounds the values that connections of a server write, which are to come. Does nothing the
  /// second time, and before the server has a cache.
  static void bound(MemcachedServer server, long valueBytesMax) {
    Cache<Object, Object> cache = server.getCache();
    if (cache != null && !(cache instanceof MemcachedValues)) {
      CACHE.compareAndSet(
          server, cache, new MemcachedValues<>(cache.getAdvancedCache(), valueBytesMax));
    }
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // as Infinispan declares it
  public AdvancedCache rewrap(AdvancedCache cache) {
    return new MemcachedValues<>(cache, valueBytesMax);
  }

  @Override
  public CompletableFuture<Boolean> replaceAsync(K key, V old, V value, Metadata metadata) {
    return length(value) > Math.max(valueBytesMax, length(old))
        ? CompletableFuture.failedFuture(
            new CacheException("the value would be longer than --value-max"))
        : super.replaceAsync(key, old, value, metadata);
  }

  @Override
  public CompletableFuture<V> computeIfPresentAsync(
      K key, BiFunction<? super K, ? super V, ? extends V> change, Metadata metadata) {
    return getAsync(key)
        .thenCompose(value ->
            length(value) >= valueBytesMax
                ? CompletableFuture.completedFuture(null)
                : super.computeIfPresentAsync(key, change, metadata));
  }

  private static long length(Object value) {
    return value instanceof byte[] bytes ? bytes.length : 0;
  }
}
