package io.varve.grid.node;

import io.varve.infinispan.RetryGuard;
import io.varve.infinispan.VarveModule;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.topology.ClusterTopologyManager;
import org.infinispan.topology.ClusterTopologyManagerFactory;
import org.infinispan.topology.ClusterTopologyManagerImpl;

/// Puts [CacheCoordinator] where Infinispan has its own.
public final class ClusterModule extends VarveModule {
  /// For the service loader.
  public ClusterModule() {
    super("varve-grid", "core", IndexModule.NAME);
  }

  /// Makes the guard, where there is a cluster.
  private static final class Factory extends ClusterTopologyManagerFactory {
    @Override
    @SuppressWarnings("NullAway") // Null where there is no cluster, as Infinispan's own does.
    public Object construct(String componentName) {
      return super.construct(componentName) == null ? null : new CacheCoordinator();
    }
  }

  @Override
  protected void cacheStarting(ComponentRegistry cache, Configuration configuration, String name) {
    RetryGuard.add(cache); // Counters have no store of ours, which would add it.
  }

  @Override
  public void registerMetadata(ModuleBuilder builder) {
    registerFactory(
        builder,
        GLOBAL,
        Factory::new,
        ClusterTopologyManagerFactory.class,
        ClusterTopologyManager.class.getName());
    registerComponent(builder, GLOBAL, CacheCoordinator.class, ClusterTopologyManagerImpl.class);
  }
}
