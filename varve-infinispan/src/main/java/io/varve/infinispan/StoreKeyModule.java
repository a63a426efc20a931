package io.varve.infinispan;

import org.infinispan.commons.CacheConfigurationException;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.IndexStorage;
import org.infinispan.configuration.cache.IndexingConfiguration;
import org.infinispan.configuration.global.GlobalConfiguration;
import org.infinispan.factories.ComponentRegistry;
import org.jspecify.annotations.Nullable;

/// Starts no cache whose index would be in clear, where the manager has a key for its stores.
///
/// A store refuses such an index when its cache is defined. A cache may have no store: its entries
/// are in memory alone, and its index is in files.
///
/// @since 1.0
public final class StoreKeyModule extends VarveModule {
  /// For the service loader.
  public StoreKeyModule() {
    super("varve-store-key", "core");
  }

  /// Why an index is refused, or null if it is not. Its files contain what the entries do, and
  /// nothing encrypts them.
  public static @Nullable String refusal(
      GlobalConfiguration global, IndexingConfiguration indexing) {
    return global.module(StoreKeyConfiguration.class) != null
            && indexing.enabled()
            && indexing.storage() == IndexStorage.FILESYSTEM
        ? "the index of a cache would be in clear, where stores are encrypted: storage="
            + indexing.storage()
            + "; set the storage of its indexing to local-heap"
        : null;
  }

  static void requireNoIndexInClear(GlobalConfiguration global, IndexingConfiguration indexing) {
    String refusal = refusal(global, indexing);
    if (refusal != null) {
      throw new CacheConfigurationException(refusal);
    }
  }

  @Override
  protected void cacheStarting(ComponentRegistry cache, Configuration configuration, String name) {
    requireNoIndexInClear(
        cache.getGlobalComponentRegistry().getGlobalConfiguration(), configuration.indexing());
  }
}
