package io.varve.infinispan;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.infinispan.commands.LocalCommand;
import org.infinispan.commands.TopologyAffectedCommand;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.functional.ReadOnlyKeyCommand;
import org.infinispan.commands.functional.ReadOnlyManyCommand;
import org.infinispan.commands.read.GetAllCommand;
import org.infinispan.commands.read.GetCacheEntryCommand;
import org.infinispan.commands.read.GetKeyValueCommand;
import org.infinispan.commands.write.ClearCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.DDAsyncInterceptor;
import org.infinispan.interceptors.impl.EntryWrappingInterceptor;
import org.infinispan.remoting.rpc.RpcManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.statetransfer.OutdatedTopologyException;
import org.jspecify.annotations.Nullable;

/// Keeps a node from answering by owners of a key that have left, itself among them.
///
/// A node learns that others are gone in two steps: first who is left, then who owns what now, or
/// that it is on the smaller side of a split and must refuse. Infinispan 16.0.7 answers in between:
///
/// - A server counts a backup that has left as one that has written. So a node that is cut off
///   acknowledges what was under way when it notices, and loses it when the sides meet again.
/// - A read that has not found its key in memory asks the store, and believes that the key is not
///   there if the node gives its segment away meanwhile; or finds what was there before a split, if
///   the sides meet meanwhile.
///
/// Here a write waits for the topology without the owners that have left (O1), and a read of one
/// topology for the next if it came meanwhile (O2). Both are then done once more, as Infinispan
/// does with calls that meet a change of owners; or refused.
final class OwnerGuard extends DDAsyncInterceptor {
  private static final long UNSHARED_FLAGS =
      FlagBitSets.CACHE_MODE_LOCAL
          | FlagBitSets.PUT_FOR_STATE_TRANSFER
          | FlagBitSets.BACKUP_WRITE
          | FlagBitSets.FORCE_ASYNCHRONOUS;

  private final DistributionManager distribution;
  private final RpcManager rpc;

  /// What was found the last time: it holds as long as neither of the two is replaced.
  private volatile Absent absent = new Absent(null, List.of(), Set.of());

  /// Owners of some topology that are not among the members of the cluster.
  private record Absent(
      @Nullable LocalizedCacheTopology topology, List<Address> members, Set<Address> owners) {}

  private OwnerGuard(DistributionManager distribution, RpcManager rpc) {
    this.distribution = distribution;
    this.rpc = rpc;
  }

  /// Adds a guard outside of all that reads and writes entries, and inside of what does calls once
  /// more.
  static void add(AsyncInterceptorChain chain, BasicComponentRegistry components) {
    chain.addInterceptorBefore(
        new OwnerGuard(
            components.getComponent(DistributionManager.class).wired(),
            components.getComponent(RpcManager.class).wired()),
        EntryWrappingInterceptor.class);
  }

  @Override
  protected Object handleDefault(InvocationContext context, VisitableCommand command) {
    if (!(command instanceof WriteCommand write) || write instanceof LocalCommand) {
      return invokeNext(context, command);
    }
    return invokeNextThenApply(context, write, (_, current, value) -> written(current, value));
  }

  private Object written(WriteCommand command, Object value) {
    if (!command.isSuccessful() || command.hasAnyFlag(UNSHARED_FLAGS)) {
      return value;
    }
    Set<Address> missing = absentOwners();
    if (!missing.isEmpty() && concerns(command, missing)) {
      // It may have been done already when it is done once more.
      command.setValueMatcher(command.getValueMatcher().matcherForRetry());
      throw OutdatedTopologyException.RETRY_NEXT_TOPOLOGY;
    }
    return value;
  }

  private boolean concerns(WriteCommand command, Set<Address> missing) {
    if (command instanceof ClearCommand) {
      return true;
    }
    LocalizedCacheTopology topology = distribution.getCacheTopology();
    return command.getAffectedKeys().stream()
        .flatMap(key -> topology.getDistribution(key).writeOwners().stream())
        .anyMatch(missing::contains);
  }

  @SuppressWarnings("ReferenceEquality") // Both are replaced when something has changed.
  private Set<Address> absentOwners() {
    LocalizedCacheTopology topology = distribution.getCacheTopology();
    List<Address> members = rpc.getTransport().getMembers();
    Absent last = absent;
    if (last.topology != topology || last.members != members) {
      Set<Address> owners = new HashSet<>();
      if (topology.isConnected()) {
        owners.addAll(topology.getWriteConsistentHash().getMembers());
      }
      members.forEach(owners::remove);
      last = new Absent(topology, members, owners);
      absent = last;
    }
    return last.owners;
  }

  @Override
  public Object visitGetKeyValueCommand(InvocationContext context, GetKeyValueCommand command) {
    return read(context, command, List.of(command.getKey()));
  }

  @Override
  public Object visitGetCacheEntryCommand(InvocationContext context, GetCacheEntryCommand command) {
    return read(context, command, List.of(command.getKey()));
  }

  @Override
  public Object visitGetAllCommand(InvocationContext context, GetAllCommand command) {
    return read(context, command, command.getKeys());
  }

  @Override
  @SuppressWarnings("rawtypes") // as it is declared
  public Object visitReadOnlyKeyCommand(InvocationContext context, ReadOnlyKeyCommand command) {
    return read(context, command, List.of(command.getKey()));
  }

  @Override
  @SuppressWarnings("rawtypes") // as it is declared
  public Object visitReadOnlyManyCommand(InvocationContext context, ReadOnlyManyCommand command) {
    return read(context, command, command.getKeys());
  }

  private <C extends VisitableCommand & TopologyAffectedCommand> Object read(
      InvocationContext context, C command, Collection<?> keys) {
    return invokeNextThenApply(
        context,
        command,
        (read, current, value) -> {
          int topology = current.getTopologyId();
          if (topology >= 0 && topology != distribution.getCacheTopology().getTopologyId()) {
            keys.forEach(read::removeLookedUpEntry);
            throw OutdatedTopologyException.RETRY_SAME_TOPOLOGY; // That is, in the one of now.
          }
          return value;
        });
  }
}
