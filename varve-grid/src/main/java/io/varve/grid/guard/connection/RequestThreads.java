package io.varve.grid.guard.connection;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.NonStickyEventExecutorGroup;
import io.netty.util.concurrent.UnorderedThreadPoolEventExecutor;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The threads that carry out requests of HTTP, or commands of RESP that wait. Infinispan's
/// resources and some of its commands wait for caches in the calling thread. On an event loop that
/// would hold up all of its connections.
///
/// - REQUEST-1 What comes on one connection, or one stream of HTTP/2, is carried out in its order,
///   by one thread at a time.
/// - REQUEST-2 Where all threads wait, requests of HTTP wait, and no other protocol.
/// - REQUEST-3 Commands of RESP that wait have threads of their own. A connection reads no command
///   before the answer to one that waits. So answers have the order of their commands, and a
///   connection has one of these threads at most.
/// - ELEMENTS-1 No event loop computes anything of more than [#ELEMENTS_ON_LOOP_MAX] elements of a
///   set, of what is removed from a collection, or of a table. The threads for commands that wait
///   do.
public final class RequestThreads {
  /// Requests that wait in their thread, as those for roles, are rare.
  private static final int THREADS_MAX = 64;

  /// Which take an event loop about a millisecond.
  private static final int ELEMENTS_ON_LOOP_MAX = 8_192;

  /// Requests of a connection that are carried out before those of another are.
  private static final int IN_A_ROW_MAX = 16;

  private static final long KEPT_SECONDS = 60;

  private static final AttributeKey<RequestThreads> OF_COMMANDS =
      AttributeKey.valueOf(RequestThreads.class, "commands");

  /// Longer than a request waits for another node.
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long STOP_SECONDS_MAX = 2;

  private final UnorderedThreadPoolEventExecutor threads;
  private final EventExecutorGroup group;
  private final LongSupplier nanoClock;

  private @Nullable Probe probe; // guarded by this

  /// A task that does nothing, to see when one is taken.
  private record Probe(Future<?> taken, long sinceNanos) {}

  /// @param name of the threads
  public RequestThreads(String name) {
    this(name, THREADS_MAX, System::nanoTime);
  }

  RequestThreads(String name, int threadsMax, LongSupplier nanoClock) {
    this.threads =
        new UnorderedThreadPoolEventExecutor(
            threadsMax, new DefaultThreadFactory(name, /* daemon= */ true));
    this.threads.setKeepAliveTime(KEPT_SECONDS, TimeUnit.SECONDS);
    this.threads.allowCoreThreadTimeOut(true);
    this.group = new NonStickyEventExecutorGroup(threads, IN_A_ROW_MAX);
    this.nanoClock = nanoClock;
  }

  /// Gives each pipeline an executor of its own, for handlers that are added with it (REQUEST-1).
  public EventExecutorGroup group() {
    return group;
  }

  /// Where something of so many elements is computed for a connection: by the caller if they are
  /// few (ELEMENTS-1).
  public static Executor ofElements(Channel connection, long elements) {
    return elements <= ELEMENTS_ON_LOOP_MAX ? Runnable::run : ofCommands(connection);
  }

  /// Has these carry out the commands of a connection that wait.
  public void takeCommandsOf(Channel connection) {
    connection.attr(OF_COMMANDS).set(this);
  }

  /// The threads for commands of a connection that wait.
  public static Executor ofCommands(Channel connection) {
    return connection.attr(OF_COMMANDS).get().threads;
  }

  /// Whether requests have been taken within the last minute, if there were any. Does not wait.
  public synchronized boolean takeRequests() {
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
  public void stop() {
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
