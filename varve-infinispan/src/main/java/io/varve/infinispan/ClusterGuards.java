package io.varve.infinispan;

import org.infinispan.Cache;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;

/// What a cache of several nodes gets in addition to our store, so that its answers hold when nodes
/// fail.
final class ClusterGuards {
  private ClusterGuards() {}

  /// Adds guards to a cache whose entries come from other nodes, one by one. Those of a
  /// transactional cache come as transactions, which have guards of their own. Does nothing for
  /// others.
  static void add(Cache<?, ?> cache) {
    Configuration configuration = cache.getCacheConfiguration();
    if (!configuration.clustering().cacheMode().needsStateTransfer()
        || configuration.transaction().transactionMode().isTransactional()) {
      return;
    }
    // Wired, and not running: this is called while the cache starts.
    BasicComponentRegistry components =
        ComponentRegistry.of(cache).getComponent(BasicComponentRegistry.class);
    AsyncInterceptorChain chain = components.getComponent(AsyncInterceptorChain.class).wired();
    if (chain.containsInterceptorType(TransferGuard.Inner.class)) {
      return; // The cache was stopped, and starts again.
    }
    TransferGuard.add(chain, components);
    RemovalGuard.add(chain);
    SentWriteGuard.add(chain);
    RetryGuard.add(ComponentRegistry.of(cache));
    if (configuration.clustering().cacheMode().isSynchronous()) {
      OwnerGuard.add(chain, components);
    }
  }
}
