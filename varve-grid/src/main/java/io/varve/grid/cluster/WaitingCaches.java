package io.varve.grid.cluster;

import io.varve.grid.node.AsItself;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.topology.LocalTopologyManager;

/// Watches the caches of a node that wait for the nodes of the last time, until they run.
///
/// If the node meets a cluster that has gone on without it, Infinispan 16.0.7 drops what it knows
/// of such a cache, and tells nobody. The cache would never answer: so the node ends, and says what
/// to do.
final class WaitingCaches {
  private static final System.Logger LOGGER = System.getLogger(WaitingCaches.class.getName());

  private static final long LOOK_MILLIS = 100;

  /// Looks at which a cache neither waits nor runs before it is taken for dropped: between the two
  /// it may do neither for a moment.
  private static final int LOOKS_MAX = 50;

  private final Node node;
  private final LocalTopologyManager topologies;
  private final Set<String> waiting = new HashSet<>();
  private int dropped;

  private WaitingCaches(Node node, EmbeddedCacheManager caches) {
    this.node = node;
    this.topologies = GlobalComponentRegistry.of(caches).getComponent(LocalTopologyManager.class);
    for (String name : caches.getCacheNames()) {
      if (topologies.isCacheRecoveringShutdown(name)) {
        waiting.add(name);
      }
    }
  }

  /// Waits until all caches run, or the node is stopped.
  ///
  /// @throws NodeException if one never will
  static void await(Node node) throws InterruptedException {
    var caches = AsItself.call(() -> new WaitingCaches(node, node.caches()));
    if (!caches.waiting.isEmpty()) {
      LOGGER.log(
          System.Logger.Level.INFO,
          "waiting for the nodes that have the other entries: caches=" + caches.waiting);
    }
    while (caches.look()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /// @return whether there is something left to wait for
  private boolean look() {
    if (node.isStopped()) {
      return false;
    }
    waiting.removeIf(name -> topologies.getCacheTopology(name) != null);
    if (waiting.stream().allMatch(topologies::isCacheRecoveringShutdown)) {
      dropped = 0;
      return !waiting.isEmpty();
    }
    if (++dropped < LOOKS_MAX) {
      return true;
    }
    throw new NodeException(
        "the cluster has gone on without this node: caches="
            + waiting
            + "; start it again, and it is sent its share");
  }
}
