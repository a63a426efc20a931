package io.varve.grid.guard;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.infinispan.server.core.transport.NonRecursiveEventLoopGroup;
import org.infinispan.server.core.utils.DelegatingEventLoopGroup;

/// The event loops of a node. A port gives them each connection that it has accepted, and
/// Infinispan takes them to continue a call of a cache.
///
/// - LOOPS-1 A connection that comes while the [Door] is closed is given to no event loop before
///   that is open. It waits, and ends if it waits too long.
/// - LOOPS-2 A task that is given to all of them, and not to one, is for [Continuations].
///   Infinispan gives such tasks to its loops in turn. Some requests wait for a cache on an event
///   loop; where that one was next, what they waited for was queued after them.
///
/// It does not end immediately: the server sends clients to a node before that node lets them in. A
/// client of Hot Rod 16.0.7 whose connection is cut off as it is made never answers its caller
/// again. Its `OperationChannel` finds no decoder in the pipeline, and keeps the requests for good.
final class EventLoops extends DelegatingEventLoopGroup {
  private static final long LOOK_MILLIS = 10;

  /// Connections that wait at a time. One more ends immediately.
  private static final int EARLY_MAX = 1_024;

  private final NonRecursiveEventLoopGroup loops;
  private final Door door;
  private final Set<Channel> early = ConcurrentHashMap.newKeySet();
  private final Continuations continuations = new Continuations();

  EventLoops(NonRecursiveEventLoopGroup loops, Door door) {
    this.loops = loops;
    this.door = door;
  }

  @Override
  protected EventLoopGroup delegate() {
    return loops;
  }

  @Override
  public void execute(Runnable task) {
    continuations.execute(task); // LOOPS-2
  }

  @Override
  public Future<?> submit(Runnable task) {
    return submit(Executors.callable(task));
  }

  @Override
  public <T> Future<T> submit(Runnable task, T result) {
    return submit(Executors.callable(task, result));
  }

  @Override
  public <T> Future<T> submit(Callable<T> task) {
    Promise<T> result = ImmediateEventExecutor.INSTANCE.newPromise();
    execute(() -> {
      try {
        result.trySuccess(task.call());
      } catch (Throwable e) {
        result.tryFailure(e);
      }
    });
    return result;
  }

  @Override
  public ChannelFuture register(Channel channel) {
    if (channel.parent() == null) {
      return super.register(channel);
    }
    if (door.isClosed() && early.size() < EARLY_MAX) {
      early.add(channel);
      long deadlineNanos = System.nanoTime() + door.limits().earlyWithin().toNanos();
      keepWaiting(channel, deadlineNanos);
      return done(channel);
    }
    return admit(channel);
  }

  private ChannelFuture admit(Channel channel) {
    if (door.enter(channel)) {
      return super.register(channel);
    }
    channel.unsafe().closeForcibly();
    return done(channel);
  }

  /// Looks at the door again after a pause.
  @SuppressWarnings("FutureReturnValueIgnored") // it ends with the event loops
  private void keepWaiting(Channel channel, long deadlineNanos) {
    loops.next().schedule(() -> look(channel, deadlineNanos), LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look(Channel channel, long deadlineNanos) {
    if (door.isClosed() && System.nanoTime() - deadlineNanos < 0) {
      keepWaiting(channel, deadlineNanos);
    } else if (early.remove(channel)) {
      admit(channel)
          .addListener(admitted -> {
            if (!admitted.isSuccess()) {
              channel.unsafe().closeForcibly();
            }
          });
    }
  }

  /// Reports that a connection was taken, as far as its port is concerned: that would log a failure
  /// for each that was not.
  private static ChannelFuture done(Channel channel) {
    return new DefaultChannelPromise(channel, ImmediateEventExecutor.INSTANCE).setSuccess();
  }

  void stop() {
    loops.shutdownGracefullyAndWait();
    early.removeIf(channel -> {
      channel.unsafe().closeForcibly();
      return true;
    });
    door.stop();
    continuations.stop();
  }
}
