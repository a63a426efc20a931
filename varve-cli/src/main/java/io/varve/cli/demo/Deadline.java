package io.varve.cli.demo;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Does something when a time is up, unless it is closed before.
final class Deadline implements AutoCloseable {
  private final CompletableFuture<Void> action;

  private Deadline(CompletableFuture<Void> action) {
    this.action = action;
  }

  static Deadline in(Duration time, Runnable action) {
    return new Deadline(
        CompletableFuture.runAsync(
            action, CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS)));
  }

  @Override
  public void close() {
    action.cancel(/* mayInterruptIfRunning= */ false);
  }
}
