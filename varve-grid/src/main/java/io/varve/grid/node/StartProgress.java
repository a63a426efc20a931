package io.varve.grid.node;

import io.varve.VarveException;
import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.status.NodeStatus;
import io.varve.grid.status.Phase;
import io.varve.infinispan.OpenStore;
import io.varve.infinispan.StoreListener;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.infinispan.Cache;
import org.infinispan.commons.IllegalLifecycleStateException;
import org.infinispan.configuration.global.TransportConfiguration;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.statetransfer.StateTransferManager;
import org.infinispan.topology.CacheTopology;
import org.infinispan.topology.LocalTopologyManager;

/// Sees how far the start of a node is: which stores are being opened, how many nodes are there,
/// and how many segments are still to come.
final class StartProgress implements StoreListener {
  private final NodeStatus status;
  private final Set<String> opening = ConcurrentHashMap.newKeySet();

  /// Entries that were read of stores that are being opened.
  private final LongAdder read = new LongAdder();

  /// By the names of caches.
  private final Map<String, OpenStore> open = new ConcurrentHashMap<>();

  StartProgress(NodeStatus status) {
    this.status = status;
  }

  @Override
  public void opening(Cache<?, ?> cache) {
    opening.add(cache.getName());
  }

  @Override
  public void reading(Cache<?, ?> cache, long entries) {
    read.add(entries);
  }

  @Override
  public void opened(OpenStore store) {
    open.put(store.cache().getName(), store);
    opening.remove(store.cache().getName());
  }

  @Override
  public void closing(OpenStore store) {
    open.remove(store.cache().getName());
    opening.remove(store.cache().getName());
  }

  /// Looks at a server that starts.
  void look(EmbeddedCacheManager caches) {
    try {
      AsItself.run(() -> lookAt(caches));
    } catch (IllegalLifecycleStateException e) {
      // It is not yet there, or there no more: what was seen before is still true.
    }
  }

  private void lookAt(EmbeddedCacheManager caches) {
    Map<String, Object> figures = new LinkedHashMap<>();
    Set<String> recovering = new TreeSet<>(opening);
    if (!recovering.isEmpty()) {
      figures.put("stores_open", open.size());
      figures.put("entries_read", read.sum());
      figures.put("stores", recovering);
      status.enter(Phase.RECOVERING, figures);
      return;
    }
    GlobalComponentRegistry registry = GlobalComponentRegistry.of(caches);
    TransportConfiguration transport = registry.getGlobalConfiguration().transport();
    if (transport.transport() == null) {
      figures.put("stores_open", open.size());
      status.enter(Phase.STARTING, figures);
      return;
    }
    List<Address> members = caches.getMembers();
    if (members == null || caches.getAddress() == null) {
      status.enter(Phase.JOINING, figures);
      return;
    }
    figures.put("members", members.size());
    if (members.size() < transport.initialClusterSize() && open.isEmpty()) {
      figures.put("members_wanted", transport.initialClusterSize());
      status.enter(Phase.WAITING, figures);
      return;
    }
    figures.put("stores_open", open.size());
    Phase phase = transfers(registry, caches.getAddress(), figures);
    status.enter(phase, figures);
  }

  /// Adds figures of the segments that come, if there are any.
  private Phase transfers(
      GlobalComponentRegistry registry, Address self, Map<String, Object> figures) {
    LocalTopologyManager topologies = registry.getComponent(LocalTopologyManager.class);
    if (topologies == null) {
      return Phase.JOINING;
    }
    Set<String> names = new TreeSet<>();
    long wanted = 0;
    long missing = 0;
    long entries = 0;
    for (Map.Entry<String, OpenStore> cache : open.entrySet()) {
      CacheTopology topology = topologies.getCacheTopology(cache.getKey());
      ComponentRegistry components = registry.getNamedComponentRegistry(cache.getKey());
      ConsistentHash pending = topology == null ? null : topology.getPendingCH();
      StateTransferManager transfers =
          components == null ? null : components.getComponent(StateTransferManager.class);
      if (pending != null && transfers != null && pending.getMembers().contains(self)) {
        names.add(cache.getKey());
        wanted += pending.getSegmentsForOwner(self).size();
        missing += transfers.getInflightSegmentTransferCount();
        entries += entryCount(cache.getValue());
      }
    }
    if (names.isEmpty()) {
      return Phase.STARTING;
    }
    figures.put("segments", wanted - missing);
    figures.put("segments_wanted", wanted);
    figures.put("entries", entries);
    figures.put("caches", names);
    return Phase.TRANSFERRING;
  }

  /// The entries of a store, or 0 if it is closed now, as when a client of another node removes its
  /// cache.
  static long entryCount(OpenStore store) {
    try {
      return store.entryCount();
    } catch (VarveException e) {
      return 0;
    }
  }
}
