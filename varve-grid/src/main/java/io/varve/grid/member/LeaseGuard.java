package io.varve.grid.member;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.infinispan.commands.FlagAffectedCommand;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.functional.ReadOnlyKeyCommand;
import org.infinispan.commands.functional.ReadOnlyManyCommand;
import org.infinispan.commands.read.GetAllCommand;
import org.infinispan.commands.read.GetCacheEntryCommand;
import org.infinispan.commands.read.GetKeyValueCommand;
import org.infinispan.commands.read.SizeCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.interceptors.InvocationSuccessFunction;
import org.infinispan.partitionhandling.AvailabilityException;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.partitionhandling.impl.PartitionHandlingManager;
import org.infinispan.remoting.rpc.RpcManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.statetransfer.OutdatedTopologyException;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;

/// Keeps a node from answering reads that it cannot know to be current.
///
/// - GUARD-1 A read begins when the node has a [Lease], and its answer is released if the node has
///   one of the same view afterwards. So the others counted it in when it read: without it they
///   have answered nothing yet.
/// - GUARD-2 A read begins when the node knows which node owns what in this view: no member of the
///   topology has left the view, or the node knows that it must refuse.
/// - GUARD-3 A read that finds no lease waits for one, [#WAIT_NANOS_MAX] at most, and fails then.
/// - GUARD-4 The size of a cache begins when a read does. Its end is not looked at, as Infinispan
///   does no size once more.
///
/// Iterations have no lease: servers begin them on event loops, which may not wait.
///
/// A write that took effect needs no lease: other owners have taken it, in the topology that they
/// have. One that was refused, as its condition did not hold, is a read.
final class LeaseGuard extends BaseAsyncInterceptor {
  private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
  private static final Executor SOON = CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS);

  private final Lease lease;
  private final DistributionManager distribution;
  private final PartitionHandlingManager partitions;
  private final Transport transport;

  /// What was found settled the last time. Each thread may replace it by what it has found itself.
  private volatile @Nullable Settled settled;

  private record Settled(LocalizedCacheTopology topology, View view) {}

  private final InvocationSuccessFunction<WriteCommand> afterWrite =
      (_, command, value) -> {
        if (!command.isSuccessful() && !mayAnswer()) {
          throw refusal();
        }
        return value;
      };

  LeaseGuard(Lease lease, BasicComponentRegistry components) {
    this.lease = lease;
    distribution = components.getComponent(DistributionManager.class).wired();
    partitions = components.getComponent(PartitionHandlingManager.class).wired();
    transport = components.getComponent(RpcManager.class).wired().getTransport();
  }

  @Override
  public Object visitCommand(InvocationContext context, VisitableCommand command) {
    if (!context.isOriginLocal()
        || isLocal(command)
        || !(command instanceof WriteCommand
            || command instanceof SizeCommand
            || readsKeys(command))) {
      return invokeNext(context, command);
    }
    if (command instanceof WriteCommand write) {
      return invokeNextThenApply(context, write, afterWrite);
    }
    View view = readableView();
    if (view != null) {
      return read(context, command, view);
    }
    if (isDegraded()) {
      return invokeNext(context, command); // which refuses
    }
    var wait = new CompletableFuture<View>();
    await(wait, System.nanoTime());
    return asyncValue(wait)
        .thenApply(context, command, (current, again, found) -> read(current, again, (View) found));
  }

  private static boolean readsKeys(VisitableCommand command) {
    return command instanceof GetKeyValueCommand
        || command instanceof GetCacheEntryCommand
        || command instanceof GetAllCommand
        || command instanceof ReadOnlyKeyCommand
        || command instanceof ReadOnlyManyCommand;
  }

  private static boolean isLocal(VisitableCommand command) {
    return command instanceof FlagAffectedCommand flagged
        && flagged.hasAnyFlag(FlagBitSets.CACHE_MODE_LOCAL);
  }

  private Object read(InvocationContext context, VisitableCommand command, View view) {
    if (command instanceof SizeCommand) {
      return invokeNext(context, command); // GUARD-4
    }
    return invokeNextThenApply(
        context,
        command,
        (_, _, value) -> {
          if (view.equals(lease.current())) { // GUARD-1
            return value;
          }
          throw OutdatedTopologyException.RETRY_SAME_TOPOLOGY; // That is, in the one of now.
        });
  }

  /// GUARD-3
  private void await(CompletableFuture<View> wait, long startNanos) {
    View view = readableView();
    if (view != null) {
      wait.complete(view);
    } else if (System.nanoTime() - startNanos > WAIT_NANOS_MAX) {
      wait.completeExceptionally(refusal());
    } else {
      SOON.execute(() -> await(wait, startNanos));
    }
  }

  private boolean mayAnswer() {
    return isDegraded() || readableView() != null;
  }

  private boolean isDegraded() {
    return partitions.getAvailabilityMode() == AvailabilityMode.DEGRADED_MODE;
  }

  /// The view in which the node may read, or null if there is none now.
  @SuppressWarnings("ReferenceEquality") // They are replaced when something has changed.
  private @Nullable View readableView() {
    View view = lease.current();
    if (view == null) {
      return null;
    }
    LocalizedCacheTopology topology = distribution.getCacheTopology();
    Settled last = settled;
    if (last != null && last.topology == topology && last.view == view) {
      return view;
    }
    if (!isSettled(topology, view)) {
      return null;
    }
    settled = new Settled(topology, view);
    return view;
  }

  /// GUARD-2
  private boolean isSettled(LocalizedCacheTopology topology, View view) {
    if (transport.getViewId() != view.getViewId().getId()) {
      return false; // The caches have not heard of it.
    }
    if (!topology.isConnected()) {
      return true; // The reader is notified that the cache does not run.
    }
    Set<Address> members = new HashSet<>(topology.getMembers());
    transport.getMembers().forEach(members::remove);
    return members.isEmpty();
  }

  private static AvailabilityException refusal() {
    return new AvailabilityException(
        "the node cannot know that what it has is current: it was paused, is cut off, or the"
            + " others have not answered in time; ask another node, or again later");
  }
}
