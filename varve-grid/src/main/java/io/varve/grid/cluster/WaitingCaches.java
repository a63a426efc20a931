package io.varve.grid.cluster;

import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeException;
import io.varve.grid.status.Phase;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.topology.LocalTopologyManager;

/// Watches the caches of a node that wait for the nodes of the last time, until they run.
///
/// If the node meets a cluster that has continued without it, Infinispan 16.0.7 drops what it knows
/// of such a cache, and notifies no caller. The cache would never answer: so the node ends, and
/// reports what to do.
final class WaitingCaches {
  private static final System.Logger LOGGER = System.getLogger(WaitingCaches.class.getName());

  private static final long LOOK_MILLIS = 100;

  /// Looks at which a cache neither waits nor runs before it is taken for dropped: between the two
  /// it may do neither for a short time.
  private static final int LOOKS_MAX = 50;

  private final Node node;
  private final int awaited;
  private final EmbeddedCacheManager manager;
  private final LocalTopologyManager topologies;
  private final Set<String> waiting = new HashSet<>();
  private int dropped;

  private WaitingCaches(Node node, int awaited, EmbeddedCacheManager caches) {
    this.node = node;
    this.awaited = awaited;
    this.manager = caches;
    this.topologies = GlobalComponentRegistry.of(caches).getComponent(LocalTopologyManager.class);
    for (String name : caches.getCacheNames()) {
      if (topologies.isCacheRecoveringShutdown(name)) {
        waiting.add(name);
      }
    }
  }

  /// Waits until all caches run, or the node is stopped.
  ///
  /// @param awaited nodes that had the entries, this one among them
  /// @param max the time for them to come
  /// @throws NodeException if a cache never will run, or does not in time
  static void await(Node node, int awaited, Duration max) throws InterruptedException {
    var caches = AsItself.call(() -> new WaitingCaches(node, awaited, node.caches()));
    long endNanos = System.nanoTime() + max.toNanos();
    if (!caches.waiting.isEmpty()) {
      LOGGER.log(
          System.Logger.Level.INFO,
          "waiting for the nodes that have the other entries: caches=" + caches.waiting);
    }
    while (caches.look()) {
      if (System.nanoTime() - endNanos > 0) {
        throw caches.tooLate(max);
      }
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
      report();
      return !waiting.isEmpty();
    }
    if (++dropped < LOOKS_MAX) {
      return true;
    }
    throw new NodeException(
        "the cluster has continued without this node: caches="
            + waiting
            + "; start it again, and it is sent its share");
  }

  private void report() {
    if (!waiting.isEmpty()) {
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put("members", manager.getMembers().size());
      figures.put("members_wanted", awaited);
      figures.put("caches", new TreeSet<>(waiting));
      node.status().enter(Phase.WAITING, figures);
    }
  }

  private NodeException tooLate(Duration max) {
    return new NodeException(
        "the nodes that have the other entries have not all come: minutes="
            + max.toMinutes()
            + ", nodes="
            + awaited
            + ", present="
            + manager.getMembers()
            + ", caches="
            + waiting
            + "; start the others as well, or raise --transfer-within. Nothing was changed here");
  }
}
