package io.varve.grid.node;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.infinispan.commons.TimeoutException;
import org.infinispan.remoting.transport.Address;
import org.infinispan.topology.CacheJoinInfo;
import org.infinispan.topology.CacheStatusResponse;
import org.infinispan.topology.ClusterTopologyManagerImpl;
import org.infinispan.util.logging.Log;

/// What coordinates the caches of a cluster. It shuts them down whichever node it is on, and takes
/// no entries of an earlier life into a cache that has continued.
///
/// A node that has such entries joins with their owners. If it comes to a coordinator that knows
/// nothing of that, it is refused, as it should be. But Infinispan 16.0.7 refuses no node that has
/// the same owners on disk as the coordinator: and that may be the very node. It was started alone,
/// as the others did not know that it had been away, and coordinates them since they have met. It
/// would put its owners, and what they had then, instead of what runs.
final class CacheCoordinator extends ClusterTopologyManagerImpl {
  private static final MethodHandle CAN_HANDLE_JOIN;

  static {
    try {
      CAN_HANDLE_JOIN =
          MethodHandles.privateLookupIn(ClusterTopologyManagerImpl.class, MethodHandles.lookup())
              .findVirtual(
                  ClusterTopologyManagerImpl.class,
                  "canHandleJoin",
                  MethodType.methodType(boolean.class, int.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final Executor SOON = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

  /// Refuses a node with entries where the cache has members, and it is none of them. Whether that
  /// is so is known once the coordinator has asked all members of the view; if another view comes
  /// after the question, Infinispan has the node ask again.
  @Override
  public CompletionStage<CacheStatusResponse> handleJoin(
      String cacheName, Address joiner, CacheJoinInfo joinInfo, int joinerViewId) {
    if (joinInfo.getPersistentStateChecksum().isEmpty()) {
      return super.handleJoin(cacheName, joiner, joinInfo, joinerViewId);
    }
    var settled = new CompletableFuture<Void>();
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(joinInfo.getTimeout());
    settle(joinerViewId, deadlineNanos, settled);
    return settled.thenCompose(_ ->
        CoordinatedCaches.of(this).runsWithout(cacheName, joiner)
            ? CompletableFuture.failedFuture(
                Log.CLUSTER.nodeWithPersistentStateJoiningClusterWithoutState(joiner, cacheName))
            : super.handleJoin(cacheName, joiner, joinInfo, joinerViewId));
  }

  /// Shuts a cache down on all nodes, also where another node coordinated it when it began.
  @Override
  public CompletionStage<Void> handleShutdownRequest(String cacheName) {
    CoordinatedCaches.of(this).markRunning(cacheName);
    return super.handleShutdownRequest(cacheName);
  }

  /// Completes a future when this node coordinates a view, and knows which caches run.
  private void settle(int view, long deadlineNanos, CompletableFuture<Void> settled) {
    if (knows(view)) {
      settled.complete(null);
    } else if (System.nanoTime() > deadlineNanos || getStatus() == ClusterManagerStatus.STOPPING) {
      settled.completeExceptionally(
          new TimeoutException(
              "the coordinator does not know which caches run: view="
                  + view
                  + ", status="
                  + getStatus()));
    } else {
      SOON.execute(() -> settle(view, deadlineNanos, settled));
    }
  }

  private boolean knows(int view) {
    try {
      return (boolean) CAN_HANDLE_JOIN.invokeExact((ClusterTopologyManagerImpl) this, view);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e); // It declares none.
    }
  }
}
