package io.varve.grid.node;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import io.varve.grid.guard.connection.AsItself;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.manager.EmbeddedCacheManager;

/// Asks each thread that serves connections to do something, and those on which caches continue. A
/// port accepts connections also while one of them is blocked, and a probe by a connection would
/// see one thread of many.
final class EventLoopCheck {
  private EventLoopCheck() {}

  /// Whether all threads of a node take work within a time.
  static boolean answer(EmbeddedCacheManager caches, Duration max) {
    return answer(
        AsItself.call(() -> GlobalComponentRegistry.of(caches).getComponent(EventLoopGroup.class)),
        max);
  }

  /// Whether all threads take work within a time.
  static boolean answer(EventExecutorGroup loops, Duration max) {
    List<CompletableFuture<Void>> answers = new ArrayList<>();
    try {
      for (EventExecutor loop : loops) {
        answers.add(CompletableFuture.runAsync(() -> {}, loop));
      }
      answers.add(CompletableFuture.runAsync(() -> {}, loops)); // any thread, or those for all
      CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
          .get(max.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (RejectedExecutionException | ExecutionException | TimeoutException e) {
      return false; // They have ended, or one of them is blocked.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
