package io.varve.grid.cluster;

import io.varve.grid.guard.connection.AsItself;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.infinispan.Cache;
import org.infinispan.commons.util.Version;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.globalstate.ScopedPersistentState;
import org.infinispan.globalstate.impl.GlobalStateManagerImpl;
import org.infinispan.globalstate.impl.ScopedPersistentStateImpl;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachelistener.annotation.TopologyChanged;
import org.infinispan.notifications.cachelistener.event.TopologyChangedEvent;
import org.infinispan.notifications.cachemanagerlistener.annotation.CacheStarted;
import org.infinispan.notifications.cachemanagerlistener.annotation.CacheStopped;
import org.infinispan.notifications.cachemanagerlistener.event.CacheStartedEvent;
import org.infinispan.notifications.cachemanagerlistener.event.CacheStoppedEvent;
import org.infinispan.registry.InternalCacheRegistry;
import org.infinispan.remoting.transport.Address;
import org.infinispan.topology.CacheTopology;
import org.infinispan.topology.LocalTopologyManager;
import org.infinispan.topology.PersistentUUIDManager;
import org.infinispan.util.concurrent.BlockingManager;

/// Keeps the owners of each cache in [TopologyFiles], while the node runs.
///
/// A node gives segments away when it is notified that others own them. What it keeps here is
/// written before that: so that of nodes that are killed together, each names owners that have the
/// entries.
@Listener
final class TopologyRecorder {
  private static final System.Logger LOGGER = System.getLogger(TopologyRecorder.class.getName());

  private final EmbeddedCacheManager caches;
  private final TopologyFiles files;
  private final BlockingManager blocking;
  private final LocalTopologyManager topologies;
  private final PersistentUUIDManager nodes;
  private final InternalCacheRegistry internalCaches;
  private final Set<String> followed = ConcurrentHashMap.newKeySet();

  private TopologyRecorder(EmbeddedCacheManager caches, TopologyFiles files) {
    GlobalComponentRegistry registry = GlobalComponentRegistry.of(caches);
    this.caches = caches;
    this.files = files;
    this.blocking = registry.getComponent(BlockingManager.class);
    this.topologies = registry.getComponent(LocalTopologyManager.class);
    this.nodes = registry.getComponent(PersistentUUIDManager.class);
    this.internalCaches = registry.getComponent(InternalCacheRegistry.class);
  }

  /// Follows the caches of a node that runs, those that are made later as well.
  static void follow(EmbeddedCacheManager caches, TopologyFiles files) {
    AsItself.run(() -> {
      var recorder = new TopologyRecorder(caches, files);
      caches.addListener(recorder);
      // Those that wait for other nodes as well: they are started, and do not run yet.
      caches.getCacheNames().forEach(recorder::follow);
    });
  }

  /// A cache runs from now on.
  @CacheStarted
  public CompletionStage<Void> started(CacheStartedEvent event) {
    return blocking.runBlocking(
        () -> AsItself.run(() -> follow(event.getCacheName())), "varve-follow");
  }

  /// A cache has stopped. If it is removed, another one may have its name later.
  @CacheStopped
  public void stopped(CacheStoppedEvent event) {
    followed.remove(event.getCacheName());
  }

  private void follow(String name) {
    if (internalCaches.isInternalCache(name) || !followed.add(name)) {
      return;
    }
    // Of a cache that starts, the manager waits for the end, which may be the end of this call.
    ComponentRegistry starting = GlobalComponentRegistry.of(caches).getNamedComponentRegistry(name);
    Cache<?, ?> cache =
        starting == null ? caches.getCache(name) : starting.getComponent(Cache.class);
    if (cache.getCacheConfiguration().clustering().cacheMode().needsStateTransfer()) {
      cache.addListener(this);
      CacheTopology topology = topologies.getCacheTopology(name);
      if (topology != null && topology.getPhase() == CacheTopology.Phase.NO_REBALANCE) {
        record(name, topology.getCurrentCH());
      }
    }
  }

  /// Segments of a cache have other owners, or will have soon.
  @TopologyChanged
  public CompletionStage<Void> changed(TopologyChangedEvent<?, ?> event) {
    ConsistentHash owners = event.getWriteConsistentHashAtEnd();
    // Where readers and writers go to others, segments are in flight, and old owners have all.
    if (!event.isPre() || owners == null || !owners.equals(event.getReadConsistentHashAtEnd())) {
      return CompletableFuture.completedFuture(null);
    }
    return blocking.runBlocking(() -> record(event.getCache().getName(), owners), "varve-record");
  }

  private synchronized void record(String name, ConsistentHash owners) {
    List<UUID> members = new ArrayList<>();
    for (Address member : owners.getMembers()) {
      members.add(nodes.getPersistentUuid(member));
    }
    if (members.contains(null) || !members.contains(topologies.getPersistentUUID())) {
      return; // Of what others do without this node it has no entries.
    }
    ScopedPersistentState state = new ScopedPersistentStateImpl(name);
    state.setProperty(GlobalStateManagerImpl.VERSION, Version.getVersion());
    state.setProperty(GlobalStateManagerImpl.VERSION_MAJOR, Version.getMajor());
    owners.toScopedState(state, nodes.addressToPersistentUUID());
    try {
      files.write(state);
    } catch (IOException e) {
      // What is there is older than that of others, which do not wait for this node by it then.
      LOGGER.log(
          System.Logger.Level.WARNING,
          "cannot write the owners of the entries of a cache: cache="
              + name
              + ", reason="
              + e.getMessage()
              + "; free capacity. If all nodes are killed, start this one last");
    }
  }
}
