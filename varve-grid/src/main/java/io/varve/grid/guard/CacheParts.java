package io.varve.grid.guard;

import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.jspecify.annotations.Nullable;

/// What a cache is made of, which Infinispan shows to an administrator alone.
final class CacheParts {
  private CacheParts() {}

  /// Looks them up, as an administrator; null if the cache does not run.
  static @Nullable ComponentRegistry of(EmbeddedCacheManager caches, String cache) {
    return AsItself.call(() -> GlobalComponentRegistry.of(caches)).getNamedComponentRegistry(cache);
  }
}
