package io.varve.grid.guard.connection;

import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.server.resp.Resp3Handler;
import org.jspecify.annotations.Nullable;

/// What a cache is made of, which Infinispan shows to an administrator alone.
public final class CacheParts {
  private CacheParts() {}

  /// Looks them up, as an administrator; null if the cache does not run.
  public static @Nullable ComponentRegistry of(EmbeddedCacheManager caches, String cache) {
    return AsItself.call(() -> GlobalComponentRegistry.of(caches)).getNamedComponentRegistry(cache);
  }

  /// Whether several nodes may have entries of the cache of a client.
  public static boolean isClustered(Resp3Handler handler) {
    ComponentRegistry parts = of(handler.respServer().getCacheManager(), handler.cache().getName());
    return parts != null && parts.getConfiguration().clustering().cacheMode().isClustered();
  }

  /// A cache of RESP in the name of nobody: who asks it for something is the user of the thread.
  /// Null if the cache does not run.
  public static @Nullable AdvancedCache<byte[], byte[]> ofNobody(
      EmbeddedCacheManager caches, String cache) {
    return caches.isRunning(cache)
        ? caches
            .<byte[], byte[]>getCache(cache)
            .getAdvancedCache()
            .withMediaType(MediaType.APPLICATION_OCTET_STREAM, MediaType.APPLICATION_OCTET_STREAM)
        : null;
  }
}
