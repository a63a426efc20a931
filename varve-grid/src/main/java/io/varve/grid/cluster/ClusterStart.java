package io.varve.grid.cluster;

import io.varve.grid.node.Node;
import io.varve.grid.node.NodeConfiguration;
import io.varve.grid.node.NodeException;
import io.varve.grid.node.StartWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.infinispan.commons.IllegalLifecycleStateException;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.topology.CacheJoinException;
import org.infinispan.topology.LocalTopologyManager;
import org.infinispan.topology.PersistentUUIDManager;
import org.jspecify.annotations.Nullable;

/// Starts a node of a cluster, which may have entries of an earlier life.
///
/// 1. It waits for the nodes that it last kept entries with. If they come, which is so where all of
///    them were killed, all go on with what they have.
/// 2. If it is refused, since the cluster has gone on without it, its entries are old. It gives
///    them up, and gets those of its segments from the others, but
/// 3. not where nobody else has them: then it does not start, and changes nothing.
final class ClusterStart implements StartWatch {
  private @Nullable TopologyFiles files;
  private @Nullable UUID self;
  private final Map<Address, UUID> names = new HashMap<>();
  private List<Address> others = List.of();
  private boolean waits = true;
  private boolean waited;

  private ClusterStart() {}

  static Node start(NodeConfiguration configuration) {
    var start = new ClusterStart();
    Node node;
    try {
      node = Node.start(configuration, start);
    } catch (NodeException e) {
      if (!start.waited || !isRefused(e)) {
        throw e;
      }
      node = start.withoutWaiting(configuration);
    }
    TopologyRecorder.follow(node.caches(), start.files());
    return node;
  }

  private static boolean isRefused(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CacheJoinException) {
        return true;
      }
    }
    return false;
  }

  private Node withoutWaiting(NodeConfiguration configuration) {
    waits = false;
    return Node.start(configuration, this);
  }

  @Override
  public void opened(Path data) throws IOException {
    files = new TopologyFiles(data);
    refuseDirectoryOfOne(data);
    if (waits) {
      waited = files.restore();
    } else {
      files.abandon();
      files.requireOwners(Objects.requireNonNull(self, "the node that was refused"), present());
    }
  }

  /// A node that was alone has no identity, and Infinispan none to take its entries for.
  private static void refuseDirectoryOfOne(Path data) throws IOException {
    Path state = data.resolve("___global.state");
    if (Files.exists(state)
        && Files.readAllLines(state).stream().noneMatch(line -> line.startsWith("uuid="))) {
      throw new NodeException(
          "the directory is of a node that was alone: data="
              + data
              + "; give this one a directory of its own by --data, and copy the entries over");
    }
  }

  @Override
  public void starting(EmbeddedCacheManager caches) {
    try {
      look(caches);
    } catch (IllegalLifecycleStateException e) {
      // It is not yet there, or there no more: what was seen before holds.
    }
  }

  /// Sees who this node is, and which others are there.
  private void look(EmbeddedCacheManager caches) {
    GlobalComponentRegistry registry = GlobalComponentRegistry.of(caches);
    LocalTopologyManager topologies = registry.getComponent(LocalTopologyManager.class);
    PersistentUUIDManager nodes = registry.getComponent(PersistentUUIDManager.class);
    List<Address> members = caches.getMembers();
    if (topologies == null || nodes == null || members == null) {
      return;
    }
    UUID known = topologies.getPersistentUUID();
    if (known == null) {
      return;
    }
    self = known;
    for (Address member : members) {
      UUID node = nodes.getPersistentUuid(member);
      if (node != null && !node.equals(known)) {
        names.put(member, node); // Known from when the two share a cache, and only while they do.
      }
    }
    if (members.size() > 1) {
      others = List.copyOf(members);
    }
  }

  /// The nodes that were there last, as they are known over restarts.
  private Set<UUID> present() {
    return others.stream()
        .map(names::get)
        .filter(Objects::nonNull)
        .collect(Collectors.toUnmodifiableSet());
  }

  private TopologyFiles files() {
    return Objects.requireNonNull(files, "not started");
  }
}
