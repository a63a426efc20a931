package io.varve.infinispan;

import io.varve.infinispan.GuardedLoads.Call;
import java.util.concurrent.CompletionStage;
import org.infinispan.commands.FlagAffectedCommand;
import org.infinispan.container.entries.InternalCacheEntry;
import org.infinispan.context.InvocationContext;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.interceptors.impl.ClusteredCacheLoaderInterceptor;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryActivated;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryLoaded;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.jspecify.annotations.Nullable;

/// Loads for a cache of several nodes, as [LocalLoader] does for a cache of one.
final class ClusterLoader<K, V> extends ClusteredCacheLoaderInterceptor<K, V> {
  private final Source source = new Source();
  private final GuardedLoads<K, V> loads;
  private final DistributionManager distribution;

  ClusterLoader(StripedWrites writes, BasicComponentRegistry components) {
    loads = new GuardedLoads<>(writes, components, source);
    distribution = components.getComponent(DistributionManager.class).wired();
  }

  @Override
  protected CompletionStage<?> loadInContext(
      InvocationContext context, Object key, int segment, FlagAffectedCommand command) {
    return loads.inContext(new Call(context, key, segment, command, source.topology()));
  }

  @Override
  @SuppressWarnings("NullAway") // Infinispan's type leaves open that there may be no entry.
  public CompletionStage<InternalCacheEntry<K, V>> loadAndStoreInDataContainer(
      InvocationContext context, Object key, int segment, @Nullable FlagAffectedCommand command) {
    return loads.load(new Call(context, key, segment, command, source.topology()));
  }

  private final class Source implements GuardedLoads.Source<K, V> {
    @Override
    public CompletionStage<MarshallableEntry<K, V>> stored(Call call, boolean includesPrivate) {
      return persistenceManager.loadFromAllStores(
          call.key(), call.segment(), call.context().isOriginLocal(), includesPrivate);
    }

    @Override
    public int topology() {
      return distribution.getCacheTopology().getTopologyId();
    }

    @Override
    public void count(boolean found) {
      if (getStatisticsEnabled()) {
        (found ? cacheLoads : cacheMisses).incrementAndGet();
      }
    }

    @Override
    public boolean hasListeners() {
      return notifier.hasListener(CacheEntryLoaded.class)
          || notifier.hasListener(CacheEntryActivated.class);
    }

    @Override
    public CompletionStage<Void> announce(Call call, V value, boolean before) {
      return sendNotification(call.key(), value, before, call.context(), call.command());
    }
  }
}
