package io.varve.infinispan;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.infinispan.commands.LocalCommand;
import org.infinispan.commands.TopologyAffectedCommand;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.functional.ReadOnlyKeyCommand;
import org.infinispan.commands.functional.ReadOnlyManyCommand;
import org.infinispan.commands.read.GetAllCommand;
import org.infinispan.commands.read.GetCacheEntryCommand;
import org.infinispan.commands.read.GetKeyValueCommand;
import org.infinispan.commands.write.ClearCommand;
import org.infinispan.commands.write.InvalidateCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.commons.TimeoutException;
import org.infinispan.configuration.cache.ClusteringConfiguration;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.factories.KnownComponentNames;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.DDAsyncInterceptor;
import org.infinispan.interceptors.InvocationSuccessFunction;
import org.infinispan.partitionhandling.impl.PartitionHandlingManager;
import org.infinispan.remoting.rpc.RpcManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.statetransfer.OutdatedTopologyException;
import org.infinispan.statetransfer.StateTransferInterceptor;
import org.infinispan.statetransfer.StateTransferLock;
import org.infinispan.util.logging.Log;
import org.jspecify.annotations.Nullable;

/// Keeps a node from acknowledging by backups that have left, and from answering by segments that
/// it has given away.
///
/// A node learns that others are gone in two steps: first which nodes are left, then which node
/// owns what now, or that it is on the smaller side of a split and must refuse. Infinispan 16.0.7
/// has two gaps there:
///
/// - A server counts a backup that has left as one that has written. So a node that is cut off
///   acknowledges what was under way when it notices, and loses it when the sides meet again.
/// - A read that has not found its key in memory asks the store. It believes that the key is not
///   there if the node gives its segment away concurrently; or finds what was there before a split,
///   if the sides meet before that.
///
/// Here a write that is done may have lost one of its owners. Then it is not acknowledged before
/// the node knows which nodes own its key now, or that it may not serve it. It is not done again:
/// new owners are sent what is in memory and in the store. A read whose topology was replaced
/// concurrently is done again in the new one.
final class OwnerGuard extends DDAsyncInterceptor {
  /// Of writes that other nodes have no part in, or that no caller waits for.
  private static final long UNSHARED_FLAGS =
      FlagBitSets.CACHE_MODE_LOCAL
          | FlagBitSets.PUT_FOR_STATE_TRANSFER
          | FlagBitSets.BACKUP_WRITE
          | FlagBitSets.SKIP_OWNERSHIP_CHECK
          | FlagBitSets.FORCE_ASYNCHRONOUS;

  private final DistributionManager distribution;
  private final Transport transport;
  private final StateTransferLock topologies;
  private final PartitionHandlingManager partitions;
  private final ClusteringConfiguration configuration;
  private final Executor executor;

  private final InvocationSuccessFunction<WriteCommand> afterWrite =
      (_, command, value) -> written(command, value);
  private final InvocationSuccessFunction<VisitableCommand> afterRead = this::read;

  /// What was found the last time. Written and read by all threads, each of which may replace it by
  /// what it has found itself.
  private volatile Absent absent = new Absent(null, -1, Set.of());

  /// Owners of some topology that are not in a view of the cluster.
  private record Absent(@Nullable LocalizedCacheTopology topology, int view, Set<Address> owners) {}

  private OwnerGuard(BasicComponentRegistry components) {
    distribution = components.getComponent(DistributionManager.class).wired();
    transport = components.getComponent(RpcManager.class).wired().getTransport();
    topologies = components.getComponent(StateTransferLock.class).wired();
    partitions = components.getComponent(PartitionHandlingManager.class).wired();
    configuration = components.getComponent(Configuration.class).wired().clustering();
    executor =
        components
            .getComponent(KnownComponentNames.NON_BLOCKING_EXECUTOR, ExecutorService.class)
            .wired();
  }

  /// Adds a guard inside of what does calls once more, and outside of all else: a write that waits
  /// holds no lock, and a read is looked at when it is known to be allowed.
  static void add(AsyncInterceptorChain chain, BasicComponentRegistry components) {
    chain.addInterceptorAfter(new OwnerGuard(components), StateTransferInterceptor.class);
  }

  @Override
  protected Object handleDefault(InvocationContext context, VisitableCommand command) {
    return command instanceof WriteCommand write
            && !(write instanceof LocalCommand || write instanceof InvalidateCommand)
        ? invokeNextThenApply(context, write, afterWrite)
        : invokeNext(context, command);
  }

  private Object written(WriteCommand command, Object value) {
    if (!command.isSuccessful() || command.hasAnyFlag(UNSHARED_FLAGS)) {
      return value;
    }
    LocalizedCacheTopology topology = distribution.getCacheTopology();
    Set<Address> lacking = lackingOwners(command, topology);
    return lacking.isEmpty()
        ? value
        : delayedValue(new Wait(command, lacking).until(topology), value);
  }

  /// Owners of what a command has written that are not in the cluster.
  private Set<Address> lackingOwners(WriteCommand command, LocalizedCacheTopology topology) {
    Set<Address> missing = absentOwners(topology);
    if (missing.isEmpty() || command instanceof ClearCommand) {
      return missing;
    }
    return command.getAffectedKeys().stream()
        .flatMap(key -> topology.getDistribution(key).writeOwners().stream())
        .filter(missing::contains)
        .collect(Collectors.toUnmodifiableSet());
  }

  @SuppressWarnings("ReferenceEquality") // It is replaced when something has changed.
  private Set<Address> absentOwners(LocalizedCacheTopology topology) {
    Absent last = absent;
    int view = transport.getViewId(); // before its members: a later one is found the next time
    if (last.topology != topology || last.view != view) {
      Set<Address> owners = new HashSet<>();
      if (topology.isConnected()) {
        owners.addAll(topology.getWriteConsistentHash().getMembers());
      }
      transport.getMembers().forEach(owners::remove);
      last = new Absent(topology, view, owners);
      absent = last;
    }
    return last.owners;
  }

  /// Of a write that some owners have left.
  private final class Wait {
    private final WriteCommand command;
    private final Set<Address> leavers;
    private final long timeMaxNanos = TimeUnit.MILLISECONDS.toNanos(configuration.remoteTimeout());
    private final long startNanos = System.nanoTime();

    Wait(WriteCommand command, Set<Address> leavers) {
      this.command = command;
      this.leavers = leavers;
    }

    /// Completes when all owners of a topology, or of one that comes, are there. Fails when the
    /// node must not serve what was written any more. Fails when a node that has left is back,
    /// which did not write it, and after the time that nodes wait for each other.
    ///
    /// @param topology taken before it is asked what may be served: a node that must refuse knows
    ///   that before it is given the topology in which it must
    CompletionStage<Void> until(LocalizedCacheTopology topology) {
      requireAvailable();
      if (lackingOwners(command, topology).isEmpty()) {
        if (transport.getMembers().stream().anyMatch(leavers::contains)) {
          throw Log.CONTAINER.degradedModeKeysUnavailable(keys());
        }
        return CompletableFuture.completedFuture(null);
      }
      if (System.nanoTime() - startNanos > timeMaxNanos) {
        throw new TimeoutException(
            "no owners have replaced those that left: keys=" + keys() + ", left=" + leavers);
      }
      return topologies
          .transactionDataFuture(topology.getTopologyId() + 1)
          .thenComposeAsync(_ -> until(distribution.getCacheTopology()), executor);
    }

    private void requireAvailable() {
      if (command instanceof ClearCommand) {
        partitions.checkClear();
      } else {
        keys().forEach(partitions::checkWrite);
      }
    }

    @SuppressWarnings("unchecked") // objects of any kind
    private Collection<Object> keys() {
      return (Collection<Object>) command.getAffectedKeys();
    }
  }

  @Override
  public Object visitGetKeyValueCommand(InvocationContext context, GetKeyValueCommand command) {
    return invokeNextThenApply(context, command, afterRead);
  }

  @Override
  public Object visitGetCacheEntryCommand(InvocationContext context, GetCacheEntryCommand command) {
    return invokeNextThenApply(context, command, afterRead);
  }

  @Override
  public Object visitGetAllCommand(InvocationContext context, GetAllCommand command) {
    return invokeNextThenApply(context, command, afterRead);
  }

  @Override
  @SuppressWarnings("rawtypes") // as it is declared
  public Object visitReadOnlyKeyCommand(InvocationContext context, ReadOnlyKeyCommand command) {
    return invokeNextThenApply(context, command, afterRead);
  }

  @Override
  @SuppressWarnings("rawtypes") // as it is declared
  public Object visitReadOnlyManyCommand(InvocationContext context, ReadOnlyManyCommand command) {
    return invokeNextThenApply(context, command, afterRead);
  }

  private Object read(InvocationContext context, VisitableCommand command, Object value) {
    int topology = ((TopologyAffectedCommand) command).getTopologyId();
    if (topology >= 0 && topology != distribution.getCacheTopology().getTopologyId()) {
      keys(command).forEach(context::removeLookedUpEntry);
      throw OutdatedTopologyException.RETRY_SAME_TOPOLOGY; // That is, in the one of now.
    }
    return value;
  }

  private static Collection<?> keys(VisitableCommand read) {
    return switch (read) {
      case GetAllCommand all -> all.getKeys();
      case ReadOnlyManyCommand<?, ?, ?> many -> many.getKeys();
      case GetKeyValueCommand one -> List.of(one.getKey());
      case GetCacheEntryCommand one -> List.of(one.getKey());
      case ReadOnlyKeyCommand<?, ?, ?> one -> List.of(one.getKey());
      default -> throw new IllegalArgumentException("no read: " + read);
    };
  }
}
