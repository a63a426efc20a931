package io.varve.grid.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Waits that have a bound and that no interrupt ends early.
final class Waits {
  private Waits() {}

  /// Waits for an end of either kind. An interrupt is kept for later.
  ///
  /// @return whether it has come
  static boolean awaitEnd(CompletableFuture<?> future, Duration max) {
    long deadlineNanos = System.nanoTime() + max.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          future.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
          return true;
        } catch (ExecutionException e) {
          return true;
        } catch (TimeoutException e) {
          return false;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
