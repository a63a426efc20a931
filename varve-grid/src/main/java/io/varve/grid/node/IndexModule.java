package io.varve.grid.node;

import io.varve.infinispan.VarveModule;
import org.infinispan.commons.configuration.attributes.AttributeDefinition;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.IndexStartupMode;
import org.infinispan.configuration.cache.IndexingConfiguration;
import org.infinispan.configuration.cache.StoreConfiguration;
import org.infinispan.factories.ComponentRegistry;

/// Leaves it to [IndexedCaches] to rebuild the indexes of caches that have stores.
///
/// Infinispan 16.0.7 begins that while the cache starts. On a thread that may block, as that of our
/// start, the rebuild waits there for the start, and the node never starts; on another, clients are
/// served before the rebuild has ended.
public final class IndexModule extends VarveModule {
  /// What another module depends on, to have this one sorted before Infinispan's modules for
  /// queries: those that depend on nothing come first, if anything depends on them.
  static final String NAME = "varve-indexes";

  private static final AttributeDefinition<IndexStartupMode> STARTUP_MODE =
      IndexingConfiguration.STARTUP_MODE;

  private static final IndexingConfiguration NONE =
      new ConfigurationBuilder().indexing().startupMode(IndexStartupMode.NONE).build().indexing();

  /// For the service loader.
  public IndexModule() {
    super(NAME);
  }

  @Override
  protected void cacheStarting(ComponentRegistry cache, Configuration configuration, String name) {
    if (isRebuiltAtStart(configuration)) {
      var mode = configuration.indexing().attributes().attribute(STARTUP_MODE);
      mode.update(name, NONE.attributes().attribute(STARTUP_MODE));
    }
  }

  /// Whether Infinispan might rebuild an index. It empties one of a cache whose stores are purged.
  private static boolean isRebuiltAtStart(Configuration configuration) {
    return configuration.indexing().enabled()
        && configuration.indexing().startupMode() != IndexStartupMode.PURGE
        && !configuration.persistence().stores().stream()
            .allMatch(StoreConfiguration::purgeOnStartup);
  }
}
