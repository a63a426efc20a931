package io.varve.grid.guard;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.NonStickyEventExecutorGroup;
import io.netty.util.concurrent.UnorderedThreadPoolEventExecutor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The threads that carry out requests of HTTP. Infinispan's resources wait for caches where they
/// are called, which on an event loop would hold up all of its connections.
///
/// - REQUEST-1 What comes on one connection, or one stream of HTTP/2, is carried out in its order,
///   by one thread at a time.
/// - REQUEST-2 Where all threads wait, requests of HTTP wait, and no other protocol.
final class RequestThreads {
  /// Requests that wait in their thread, as those for roles, are rare.
  private static final int THREADS_MAX = 64;

  /// Requests of a connection that are carried out before it is the turn of another.
  private static final int IN_A_ROW_MAX = 16;

  private static final long KEPT_SECONDS = 60;

  /// Longer than a request waits for another node.
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long STOP_SECONDS_MAX = 2;

  private final UnorderedThreadPoolEventExecutor threads;
  private final EventExecutorGroup group;
  private final LongSupplier nanoClock;

  private @Nullable Probe probe; // guarded by this

  /// A task that does nothing, to see when one is taken.
  private record Probe(Future<?> taken, long sinceNanos) {}

  RequestThreads() {
    this(THREADS_MAX, System::nanoTime);
  }

  RequestThreads(int threadsMax, LongSupplier nanoClock) {
    this.threads =
        new UnorderedThreadPoolEventExecutor(
            threadsMax, new DefaultThreadFactory("varve-http", /* daemon= */ true));
    this.threads.setKeepAliveTime(KEPT_SECONDS, TimeUnit.SECONDS);
    this.threads.allowCoreThreadTimeOut(true);
    this.group = new NonStickyEventExecutorGroup(threads, IN_A_ROW_MAX);
    this.nanoClock = nanoClock;
  }

  /// Gives each pipeline an executor of its own, for handlers that are added with it (REQUEST-1).
  EventExecutorGroup group() {
    return group;
  }

  /// Whether requests have been taken within the last minute, if there were any. Does not wait.
  synchronized boolean takeRequests() {
    long nowNanos = nanoClock.getAsLong();
    try {
      if (probe == null || probe.taken().isDone()) {
        probe = new Probe(threads.submit(() -> {}), nowNanos);
      }
      return nowNanos - probe.sinceNanos() < STUCK_NANOS;
    } catch (RejectedExecutionException e) {
      return false; // They have ended.
    }
  }

  /// Ends the threads, within a bound, when no connection is left.
  void stop() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
