package io.varve.grid.backup;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.RemoveExpiredCommand;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.jspecify.annotations.Nullable;

/// Holds the writes that begin at a node, of all of its caches and its items, for a short time.
///
/// - GATE-W1 While a hold is in effect that has drained, no write that began at this node is under
///   way, here or at other nodes. If one began nevertheless (GATE-W4), [#release] reports it.
/// - GATE-W2 A hold ends automatically after [#HOLD_MAX], also if the node that asked for it has
///   died.
/// - GATE-W3 Writes in transactions pass and are not counted. They may have locks for which others
///   wait that are counted, which would never drain. No backup has caches of that kind.
/// - GATE-W4 Entries that other nodes send pass, since Infinispan drops those that have to wait.
///   They are counted, and one that begins after the hold has drained breaks it.
/// - GATE-W5 The removal of what has expired passes and is not counted: a write that is counted
///   waits for that of the entry before it. No client sees whether it was before or after the
///   point.
final class WriteGate {
  /// How long clients wait at most.
  static final Duration HOLD_MAX = Duration.ofSeconds(10);

  private static final Executor AT_END =
      CompletableFuture.delayedExecutor(HOLD_MAX.toMillis(), TimeUnit.MILLISECONDS);

  private int underWay; // guarded by this
  private @Nullable Hold hold; // guarded by this

  /// One time in which writes wait.
  private static final class Hold {
    private final String id;
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private boolean broken; // guarded by the gate

    Hold(String id) {
      this.id = id;
    }
  }

  /// Holds writes from now on.
  ///
  /// @return completes when no write is under way
  /// @throws IllegalStateException if another hold is in effect
  CompletableFuture<Void> hold(String id) {
    synchronized (this) {
      if (hold != null) {
        throw new IllegalStateException("another backup is under way; try again after it");
      }
      Hold begun = new Hold(id);
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
  /// @return whether it was in effect, and had drained, and nothing was written after that
  boolean release(String id) {
    Hold ended;
    boolean held;
    synchronized (this) {
      ended = hold;
      if (ended == null || !ended.id.equals(id)) {
        return false;
      }
      hold = null;
      held = ended.drained.isDone() && !ended.broken;
    }
    ended.drained.completeExceptionally(
        new IllegalStateException("writes that are under way did not end in time; try again"));
    ended.end.complete(null); // Not under the lock.
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

  /// Begins a write that cannot wait.
  private synchronized void beginImmediately() {
    if (hold != null && hold.drained.isDone()) {
      hold.broken = true; // GATE-W4
    }
    underWay++;
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

  /// Begins a write after those holds that it has to wait for.
  private CompletableFuture<Void> begin(CompletableFuture<Void> earlier, Executor executor) {
    return earlier.thenComposeAsync(
        _ -> {
          CompletableFuture<Void> held = tryBegin();
          return held == null ? CompletableFuture.completedFuture(null) : begin(held, executor);
        },
        executor);
  }

  /// Makes a write that is of no cache, on a thread that may wait for the end of a hold.
  <T> T pass(Supplier<T> write) {
    for (var held = tryBegin(); held != null; held = tryBegin()) {
      held.join();
    }
    try {
      return write.get();
    } finally {
      end();
    }
  }

  /// The first interceptor of a cache.
  ///
  /// @param executor runs what had to wait, since the thread that ends a hold is not for that
  BaseAsyncInterceptor interceptor(Executor executor) {
    return new Interceptor(executor);
  }

  private final class Interceptor extends BaseAsyncInterceptor {
    private final Executor executor;

    Interceptor(Executor executor) {
      this.executor = executor;
    }

    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command)
        throws Throwable {
      boolean begins =
          command instanceof WriteCommand
              && context.isOriginLocal()
              && !context.isInTxScope() // GATE-W3
              && !(command instanceof RemoveExpiredCommand); // GATE-W5
      if (!begins) {
        return invokeNext(context, command);
      }
      CompletableFuture<Void> held = null;
      if (((WriteCommand) command).hasAnyFlag(FlagBitSets.PUT_FOR_STATE_TRANSFER)) {
        beginImmediately(); // GATE-W4
      } else {
        held = tryBegin();
      }
      return held == null
          ? invokeNextAndFinally(context, command, (_, _, _, _) -> end())
          : asyncValue(begin(held, executor))
              .thenApply(
                  context,
                  command,
                  (_, begun, _) -> invokeNextAndFinally(context, begun, (_, _, _, _) -> end()));
    }
  }
}
