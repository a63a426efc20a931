package io.varve.grid.cluster;

import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.node.EndpointException;
import io.varve.grid.node.Node;
import io.varve.grid.node.Node.StartWatch;
import io.varve.grid.node.NodeConfiguration;
import io.varve.grid.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
/// 1. It looks for the nodes that it last kept entries with, before it reports what it has: nodes
///    that start at the same time find each other late. Two groups that each begin with what they
///    have are not one when they meet. After a while it continues without those that have not come.
/// 2. It waits for them. If they come, which is so where all of them were stopped or killed, all go
///    on with what they have.
/// 3. If it is refused, since the cluster has continued without it, its entries are old. It gives
///    them up, and gets those of its segments from the others, but
/// 4. not where no other node has them: then it does not start, and changes nothing.
final class ClusterStart implements StartWatch {
  /// How long nodes are looked for. Groups that find each other merge after at most a dozen
  /// seconds.
  private static final int GATHER_MILLIS_MAX = 30_000;

  private static final int ENDPOINT_FAILURES_MAX = 5;

  /// What Infinispan begins its message with when fewer nodes than it was set to look for came.
  private static final String TOO_FEW_NODES = "ISPN000399";

  private static final System.Logger LOGGER = System.getLogger(ClusterStart.class.getName());

  private enum Step {
    /// Look for the nodes of the last time, then wait for them.
    GATHER,
    /// Wait for them, with those that are there.
    WAIT,
    /// Give the entries up.
    REJOIN
  }

  private Step step = Step.GATHER;
  private @Nullable TopologyFiles files;
  private @Nullable UUID self;
  private final Map<Address, UUID> names = new HashMap<>();
  private List<Address> others = List.of();
  private final int waitFor;
  private final Duration waitMax;
  private int endpointFailures;

  /// Nodes that this start looks for, this one among them; 0 if it had none.
  private int awaited;

  private ClusterStart(int waitFor, Duration waitMax) {
    this.waitFor = waitFor;
    this.waitMax = waitMax;
  }

  /// Starts a node.
  ///
  /// @param waitFor nodes that are to be there in any case, this one among them
  /// @param waitMax the time for the nodes of the last time to come
  static Node start(NodeConfiguration configuration, int waitFor, Duration waitMax) {
    return new ClusterStart(waitFor, waitMax).attempt(configuration);
  }

  @Override
  public void started(Node node) throws InterruptedException {
    forgetRemovedCaches(node);
    TopologyRecorder.follow(node.caches(), files());
    WaitingCaches.await(node, awaited, waitMax);
  }

  private Node attempt(NodeConfiguration configuration) {
    while (true) {
      try {
        return Node.start(configuration, this);
      } catch (NodeException e) {
        step = next(e);
      }
    }
  }

  /// What to do after a start has failed, if another may not.
  private Step next(NodeException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (gathers() && String.valueOf(cause.getMessage()).startsWith(TOO_FEW_NODES)) {
        return Step.WAIT;
      }
      if (step != Step.REJOIN && awaited > 0 && cause instanceof CacheJoinException) {
        LOGGER.log(
            System.Logger.Level.INFO,
            "the cluster has continued without this node: it joins once more, drops the entries of"
                + " its last life, and is sent its share");
        return Step.REJOIN;
      }
      if (cause instanceof EndpointException && ++endpointFailures < ENDPOINT_FAILURES_MAX) {
        return step;
      }
    }
    throw failure;
  }

  private boolean gathers() {
    return step == Step.GATHER && awaited > waitFor;
  }

  @Override
  public Map<String, String> opened(Path data) throws IOException {
    files = new TopologyFiles(data);
    refuseDirectoryOfOne(data);
    if (step == Step.REJOIN) {
      files.requireOwners(Objects.requireNonNull(self, "the node that was refused"), present());
      files.abandon();
      return Map.of();
    }
    files.restore();
    awaited = files.awaited();
    return gathers()
        ? Map.of(
            "varve.cluster.wait-for",
            Integer.toString(awaited),
            "varve.cluster.wait-millis",
            Integer.toString(GATHER_MILLIS_MAX))
        : Map.of();
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
      AsItself.run(() -> look(caches));
    } catch (IllegalLifecycleStateException e) {
      // It is not yet there, or there no more: what was seen before is still true.
    }
  }

  /// Sees which node this is, and which others are there.
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

  /// So that no later start looks for nodes that had caches which are there no more.
  private void forgetRemovedCaches(Node node) {
    try {
      files().retain(AsItself.call(() -> node.caches().getCacheNames()));
    } catch (IOException e) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "cannot delete the owners of the entries of removed caches: reason=" + e.getMessage());
    }
  }

  private TopologyFiles files() {
    return Objects.requireNonNull(files, "not started");
  }
}
