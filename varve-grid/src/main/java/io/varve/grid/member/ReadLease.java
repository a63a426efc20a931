package io.varve.grid.member;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.partitionhandling.AvailabilityException;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.partitionhandling.impl.PartitionHandlingManager;
import org.infinispan.remoting.rpc.RpcManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.remoting.transport.Transport;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;

/// Whether a node may read one cache now: what [LeaseGuard] and [LeasedPublishers] ask.
///
/// - GUARD-2 A read begins when the node knows which node owns what in this view: no member of the
///   topology has left the view, or the node knows that it must refuse.
/// - GUARD-3 A read that finds no lease waits for one, [#WAIT_NANOS_MAX] at most, and fails then.
///
/// **Threads:** safe for any number of them; none waits in a method of this class.
final class ReadLease {
  private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
  private static final Executor SOON = CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS);

  private final Lease lease;
  private final DistributionManager distribution;
  private final PartitionHandlingManager partitions;
  private final Transport transport;

  /// What was found settled the last time. Each thread may replace it by what it has found itself.
  private volatile @Nullable Settled settled;

  private record Settled(LocalizedCacheTopology topology, View view) {}

  /// When a read began.
  ///
  /// @param era of [Lease#era], taken before the view
  /// @param view in which the node had a lease
  record Begun(long era, View view) {}

  ReadLease(Lease lease, BasicComponentRegistry components) {
    this.lease = lease;
    distribution = components.getComponent(DistributionManager.class).wired();
    partitions = components.getComponent(PartitionHandlingManager.class).wired();
    transport = components.getComponent(RpcManager.class).wired().getTransport();
  }

  /// Begins a read, if the node may read now.
  @Nullable Begun begin() {
    long era = lease.era();
    View view = readableView();
    return view == null ? null : new Begun(era, view);
  }

  /// Begins a read as soon as the node may. GUARD-3
  CompletableFuture<Begun> await() {
    var wait = new CompletableFuture<Begun>();
    await(wait, System.nanoTime());
    return wait;
  }

  private void await(CompletableFuture<Begun> wait, long startNanos) {
    Begun begun = begin();
    if (begun != null) {
      wait.complete(begun);
    } else if (System.nanoTime() - startNanos > WAIT_NANOS_MAX) {
      wait.completeExceptionally(refusal());
    } else {
      SOON.execute(() -> await(wait, startNanos));
    }
  }

  /// Whether the node has a lease of the view in which a read began.
  boolean isSameView(Begun begun) {
    return begun.view.equals(lease.current());
  }

  /// Whether the node has counted for the others since a read began, and may read now. It may have
  /// been in several views that followed each other. The view comes first: an era begins before it.
  boolean isContinued(Begun begun) {
    return readableView() != null && isSameEra(begun);
  }

  /// Whether no sides of the cluster have met since a read began.
  boolean isSameEra(Begun begun) {
    return begun.era == lease.era();
  }

  boolean mayAnswer() {
    return isDegraded() || readableView() != null;
  }

  boolean isDegraded() {
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

  static AvailabilityException refusal() {
    return new AvailabilityException(
        "the node cannot know that what it has is current: it was paused, is cut off, or the"
            + " others have not answered in time; ask another node, or again later");
  }
}
