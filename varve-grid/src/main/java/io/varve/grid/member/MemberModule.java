package io.varve.grid.member;

import java.util.Collection;
import java.util.List;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.counter.impl.CounterModuleLifecycle;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.factories.impl.ModuleMetadataBuilder;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.lifecycle.ModuleLifecycle;
import org.infinispan.registry.InternalCacheRegistry;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.infinispan.statetransfer.StateTransferInterceptor;
import org.jspecify.annotations.Nullable;

/// Gives each cache of several nodes its [LeaseGuard]. Infinispan finds this as a service.
public final class MemberModule implements ModuleMetadataBuilder {
  /// For the service loader.
  public MemberModule() {}

  @Override
  public String getModuleName() {
    return "varve-member";
  }

  @Override
  public Collection<String> getRequiredDependencies() {
    return List.of("core");
  }

  @Override
  public Collection<String> getOptionalDependencies() {
    return List.of();
  }

  @Override
  public ModuleLifecycle newModuleLifecycle() {
    return new Guarding();
  }

  @Override
  public void registerMetadata(ModuleBuilder builder) {}

  private static final class Guarding implements ModuleLifecycle {
    @Override
    public void cacheStarting(ComponentRegistry cache, Configuration configuration, String name) {
      Lease lease = lease(cache);
      if (lease == null
          || !configuration.clustering().cacheMode().needsStateTransfer()
          || isInternal(cache, name)) {
        return;
      }
      BasicComponentRegistry components = cache.getComponent(BasicComponentRegistry.class);
      AsyncInterceptorChain chain = components.getComponent(AsyncInterceptorChain.class).wired();
      if (!chain.containsInterceptorType(LeaseGuard.class)) {
        chain.addInterceptorAfter(
            new LeaseGuard(lease, components), StateTransferInterceptor.class);
      }
      DistributionManager distribution = components.getComponent(DistributionManager.class).wired();
      lease.follow(name, () -> topology(distribution));
    }

    /// The number of the topology that the node has of a cache: -1 while it joins.
    private static int topology(DistributionManager distribution) {
      LocalizedCacheTopology topology = distribution.getCacheTopology();
      return topology == null ? -1 : topology.getTopologyId();
    }

    /// Caches of Infinispan's own, which no client asks before it runs, but counters.
    private static boolean isInternal(ComponentRegistry cache, String name) {
      return !name.equals(CounterModuleLifecycle.COUNTER_CACHE_NAME)
          && cache
              .getGlobalComponentRegistry()
              .getComponent(InternalCacheRegistry.class)
              .isInternalCache(name);
    }

    @Override
    public void cacheStopping(ComponentRegistry cache, String name) {
      Lease lease = lease(cache);
      if (lease != null) {
        lease.unfollow(name);
      }
    }

    private static @Nullable Lease lease(ComponentRegistry cache) {
      return cache.getGlobalComponentRegistry().getComponent(Transport.class)
              instanceof JGroupsTransport transport
          ? transport.getChannel().getProtocolStack().findProtocol(Lease.class)
          : null;
    }
  }
}
