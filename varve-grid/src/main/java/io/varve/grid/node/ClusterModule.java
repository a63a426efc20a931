package io.varve.grid.node;

import io.varve.infinispan.RetryGuard;
import java.util.Collection;
import java.util.List;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.impl.ComponentAccessor;
import org.infinispan.factories.impl.ModuleMetadataBuilder;
import org.infinispan.lifecycle.ModuleLifecycle;
import org.infinispan.topology.ClusterTopologyManager;
import org.infinispan.topology.ClusterTopologyManagerFactory;
import org.infinispan.topology.ClusterTopologyManagerImpl;

/// Puts [CacheCoordinator] where Infinispan has its own. Infinispan finds this as a service; what
/// others have made by its annotation processor is written here.
public final class ClusterModule implements ModuleMetadataBuilder {
  private static final int GLOBAL = 0; // as the processor writes it

  /// For the service loader.
  public ClusterModule() {}

  /// Makes the guard, where there is a cluster.
  private static final class Factory extends ClusterTopologyManagerFactory {
    @Override
    @SuppressWarnings("NullAway") // Null where there is no cluster, as Infinispan's own does.
    public Object construct(String componentName) {
      return super.construct(componentName) == null ? null : new CacheCoordinator();
    }
  }

  @Override
  public String getModuleName() {
    return "varve-grid";
  }

  @Override
  public Collection<String> getRequiredDependencies() {
    return List.of("core", IndexModule.NAME); // What comes later is what counts.
  }

  @Override
  public Collection<String> getOptionalDependencies() {
    return List.of();
  }

  @Override
  public ModuleLifecycle newModuleLifecycle() {
    return new ModuleLifecycle() {
      @Override
      public void cacheStarting(ComponentRegistry cache, Configuration configuration, String name) {
        RetryGuard.add(cache); // Counters have no store of ours, which would add it.
      }
    };
  }

  @Override
  public void registerMetadata(ModuleBuilder builder) {
    builder.registerComponentAccessor(
        Factory.class.getName(),
        List.of(ClusterTopologyManager.class.getName()),
        new ComponentAccessor<Factory>(
            Factory.class.getName(),
            GLOBAL,
            /* survivesRestarts= */ false,
            ClusterTopologyManagerFactory.class.getName(),
            List.of()) {
          @Override
          protected Factory newInstance() {
            return new Factory();
          }
        });
    builder.registerComponentAccessor(
        CacheCoordinator.class.getName(),
        List.of(),
        new ComponentAccessor<CacheCoordinator>(
            CacheCoordinator.class.getName(),
            GLOBAL,
            /* survivesRestarts= */ false,
            ClusterTopologyManagerImpl.class.getName(),
            List.of()));
  }
}
