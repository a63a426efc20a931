package io.varve.grid.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import org.infinispan.lifecycle.ComponentStatus;
import org.infinispan.remoting.transport.Address;
import org.infinispan.topology.ClusterCacheStatus;
import org.infinispan.topology.ClusterTopologyManagerImpl;

/// The caches of a cluster, on the node that coordinates it.
///
/// Infinispan 16.0.7 shuts a cache down on all nodes together, with its owners on disk, only if the
/// coordinator has seen its first node start. A coordinator may have taken over from another, or
/// from a merge. It takes each cache for one that has not begun, and its shutdown does nothing.
/// Then nodes leave one after the other and hand their entries over. So the last ones have other
/// owners on disk than the first ones, and the cluster does not come back as it was.
final class CoordinatedCaches {
  private static final VarHandle CACHES;
  private static final VarHandle STATUS;

  static {
    try {
      CACHES =
          MethodHandles.privateLookupIn(ClusterTopologyManagerImpl.class, MethodHandles.lookup())
              .findVarHandle(
                  ClusterTopologyManagerImpl.class, "cacheStatusMap", ConcurrentMap.class);
      STATUS =
          MethodHandles.privateLookupIn(ClusterCacheStatus.class, MethodHandles.lookup())
              .findVarHandle(ClusterCacheStatus.class, "status", ComponentStatus.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Map<String, ClusterCacheStatus> caches;

  private CoordinatedCaches(Map<String, ClusterCacheStatus> caches) {
    this.caches = caches;
  }

  @SuppressWarnings("unchecked") // what the field is
  static CoordinatedCaches of(ClusterTopologyManagerImpl topologies) {
    return new CoordinatedCaches((Map<String, ClusterCacheStatus>) CACHES.get(topologies));
  }

  /// Whether a cache has members, of which a node is none, and is not being shut down.
  boolean runsWithout(String name, Address node) {
    ClusterCacheStatus cache = caches.get(name);
    return cache != null
        && cache.getCurrentTopology() != null
        && !cache.isGracefulStopped()
        && !cache.getExpectedMembers().contains(node);
  }

  /// Marks a cache that has members as begun.
  void markRunning(String name) {
    ClusterCacheStatus cache = caches.get(name);
    if (cache != null && cache.getCurrentTopology() != null) {
      // A thread that shuts it down takes a lock after this.
      STATUS.compareAndSet(cache, ComponentStatus.INSTANTIATED, ComponentStatus.RUNNING);
    }
  }
}
