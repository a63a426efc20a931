package io.varve.grid.node;

import java.util.Map;

/// How the caches of a node are stored: on it alone, or on others too. The layer defines a template
/// for caches named [#TEMPLATE], and a cache named [#DEFAULT_CACHE] that every endpoint serves. It
/// sets in its own `global-state` what is done after a kill. No cache in it inherits a store: where
/// other files follow, Infinispan would give it the store again with each.
///
/// @param layer the `cache-container` element
/// @param properties that the layer names, in addition to those of [NodeConfiguration]
public record CacheContainer(ConfigurationLayer layer, Map<String, String> properties) {
  /// The template of caches that persist in Varve.
  public static final String TEMPLATE = "varve";

  /// The cache that each protocol but memcached uses unless its client names another.
  public static final String DEFAULT_CACHE = "default";

  /// The cache of memcached's clients. Infinispan's endpoint does not answer a client that asks it
  /// for an entry that another protocol has put, so they have one of their own.
  public static final String MEMCACHED_CACHE = "memcached";

  /// Caches that are stored on one node.
  public static CacheContainer local() {
    return new CacheContainer(
        ConfigurationLayer.resource(CacheContainer.class, "caches-local.xml"), Map.of());
  }
}
