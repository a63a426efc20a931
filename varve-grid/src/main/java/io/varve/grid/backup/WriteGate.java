package io.varve.grid.backup;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.tx.TransactionBoundaryCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.jspecify.annotations.Nullable;

/// Holds the writes that begin at a node, of all of its caches, for a moment.
///
/// - GATE-W1 While a hold is in effect that has drained, no write that began at this node is under
///   way, here or at other nodes.
/// - GATE-W2 A hold ends by itself after [#HOLD_MAX], also if the node that asked for it has died.
final class WriteGate {
  /// How long clients wait at most.
  static final Duration HOLD_MAX = Duration.ofSeconds(10);

  private static final Executor AT_END =
      CompletableFuture.delayedExecutor(HOLD_MAX.toMillis(), TimeUnit.MILLISECONDS);

  private int underWay; // guarded by this
  private @Nullable Hold hold; // guarded by this

  /// One time in which writes wait.
  private record Hold(String id, CompletableFuture<Void> drained, CompletableFuture<Void> end) {}

  /// Holds writes from now on.
  ///
  /// @return completes when no write is under way
  /// @throws IllegalStateException if another hold is in effect
  CompletableFuture<Void> hold(String id) {
    synchronized (this) {
      if (hold != null) {
        throw new IllegalStateException("another backup is under way; try again after it");
      }
      Hold begun = new Hold(id, new CompletableFuture<>(), new CompletableFuture<>());
      hold = begun;
      AT_END.execute(() -> release(id)); // GATE-W2
      if (underWay == 0) {
        begun.drained.complete(null);
      }
      return begun.drained;
    }
  }

  /// Whether a hold is in effect, and has drained.
  synchronized boolean isHeld(String id) {
    return hold != null && hold.id.equals(id) && hold.drained.isDone();
  }

  /// Ends a hold.
  ///
  /// @return whether it was in effect, and had drained
  boolean release(String id) {
    Hold ended;
    synchronized (this) {
      ended = hold;
      if (ended == null || !ended.id.equals(id)) {
        return false;
      }
      hold = null;
    }
    boolean held = ended.drained.isDone();
    ended.drained.completeExceptionally(
        new IllegalStateException("writes that are under way did not end in time; try again"));
    ended.end.complete(null); // Not under the lock: those that waited go on here.
    return held;
  }

  /// Begins a write, unless it has to wait.
  ///
  /// @return null if it has begun, or else what completes when it may try again
  private synchronized @Nullable CompletableFuture<Void> tryBegin() {
    if (hold != null) {
      return hold.end;
    }
    underWay++;
    return null;
  }

  private void end() {
    CompletableFuture<Void> drained = null;
    synchronized (this) {
      underWay--;
      if (underWay == 0 && hold != null) {
        drained = hold.drained;
      }
    }
    if (drained != null) {
      drained.complete(null);
    }
  }

  private CompletableFuture<Void> begin(CompletableFuture<Void> earlier) {
    return earlier.thenCompose(_ -> {
      CompletableFuture<Void> held = tryBegin();
      return held == null ? CompletableFuture.completedFuture(null) : begin(held);
    });
  }

  /// The first interceptor of a cache.
  BaseAsyncInterceptor interceptor() {
    return new Interceptor();
  }

  private final class Interceptor extends BaseAsyncInterceptor {
    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command)
        throws Throwable {
      boolean begins =
          context.isOriginLocal()
              && (command instanceof WriteCommand || command instanceof TransactionBoundaryCommand);
      if (!begins) {
        return invokeNext(context, command);
      }
      CompletableFuture<Void> held = tryBegin();
      return held == null
          ? invokeNextAndFinally(context, command, (_, _, _, _) -> end())
          : asyncValue(begin(held))
              .thenApply(
                  context,
                  command,
                  (_, begun, _) -> invokeNextAndFinally(context, begun, (_, _, _, _) -> end()));
    }
  }
}
