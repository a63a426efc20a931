package io.varve.grid.guard;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.ImmediateEventExecutor;
import org.infinispan.server.core.transport.NonRecursiveEventLoopGroup;
import org.infinispan.server.core.utils.DelegatingEventLoopGroup;

/// The event loops of a node, which each connection that a port has accepted is given to.
final class EventLoops extends DelegatingEventLoopGroup {
  private final NonRecursiveEventLoopGroup loops;
  private final Door door;

  EventLoops(NonRecursiveEventLoopGroup loops, Door door) {
    this.loops = loops;
    this.door = door;
  }

  @Override
  protected EventLoopGroup delegate() {
    return loops;
  }

  @Override
  public ChannelFuture register(Channel channel) {
    if (channel.parent() == null || door.enter(channel)) {
      return super.register(channel);
    }
    channel.unsafe().closeForcibly();
    // Done, as far as the port is concerned: it would log a failure for each.
    return new DefaultChannelPromise(channel, ImmediateEventExecutor.INSTANCE).setSuccess();
  }

  void stop() {
    loops.shutdownGracefullyAndWait();
  }
}
