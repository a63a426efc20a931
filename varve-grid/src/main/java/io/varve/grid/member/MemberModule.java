package io.varve.grid.member;

import io.varve.infinispan.VarveModule;
import java.util.List;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.counter.impl.CounterModuleLifecycle;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.PublisherManagerFactory;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.factories.impl.ComponentAccessor;
import org.infinispan.factories.impl.WireContext;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.lifecycle.ModuleLifecycle;
import org.infinispan.reactive.publisher.impl.ClusterPublisherManager;
import org.infinispan.reactive.publisher.impl.LocalPublisherManager;
import org.infinispan.registry.InternalCacheRegistry;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.infinispan.statetransfer.StateTransferInterceptor;
import org.jspecify.annotations.Nullable;

/// Gives each cache of several nodes its [LeaseGuard] and its [LeasedPublishers].
public final class MemberModule extends VarveModule {
  /// The name of Infinispan's own publishers, where [LeasedPublishers] have theirs.
  private static final String OWN_PUBLISHERS = "varve.OwnClusterPublisherManager";

  /// For the service loader.
  public MemberModule() {
    super("varve-member", "core");
  }

  @Override
  public ModuleLifecycle newModuleLifecycle() {
    return new Guarding();
  }

  /// Makes the publishers of a cache: two where others have one, for a cache of several nodes.
  private static final class Factory extends PublisherManagerFactory {
    @Override
    public Object construct(String componentName) {
      if (componentName.equals(OWN_PUBLISHERS)) {
        return super.construct(ClusterPublisherManager.class.getName());
      }
      return componentName.equals(ClusterPublisherManager.class.getName())
              && configuration.clustering().cacheMode().needsStateTransfer()
          ? new LeasedPublishers<>()
          : super.construct(componentName);
    }
  }

  @Override
  public void registerMetadata(ModuleBuilder builder) {
    registerFactory(
        builder,
        NAMED_CACHE,
        Factory::new,
        PublisherManagerFactory.class,
        OWN_PUBLISHERS,
        ClusterPublisherManager.class.getName(),
        LocalPublisherManager.class.getName(),
        PublisherManagerFactory.LOCAL_CLUSTER_PUBLISHER);
    builder.registerComponentAccessor(
        LeasedPublishers.class.getName(),
        List.of(),
        new ComponentAccessor<LeasedPublishers<Object, Object>>(
            LeasedPublishers.class.getName(),
            NAMED_CACHE,
            /* survivesRestarts= */ false,
            /* superAccessorName= */ null,
            List.of(OWN_PUBLISHERS)) {
          @Override
          @SuppressWarnings("unchecked") // They are those of the same cache.
          protected void wire(
              LeasedPublishers<Object, Object> publishers, WireContext context, boolean start) {
            publishers.use(context.get(OWN_PUBLISHERS, ClusterPublisherManager.class, start));
          }
        });
  }

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
      if (components.getComponent(ClusterPublisherManager.class).wired()
          instanceof LeasedPublishers<?, ?> publishers) {
        publishers.guard(new ReadLease(lease, components));
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
