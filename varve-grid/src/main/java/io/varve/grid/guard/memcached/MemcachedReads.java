package io.varve.grid.guard.memcached;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.Owing;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.server.memcached.MemcachedBaseDecoder;
import org.infinispan.server.memcached.MemcachedResponse;

/// Reads on after an answer that was waited for. It comes after the decoder.
///
/// (MEMCACHED-3) What a client has sent before it had an answer is read after that, by the decoder
/// that the connection has then. Infinispan asks the one that took the login, which has nothing: a
/// client that sent its login and requests together waited for good.
final class MemcachedReads extends ChannelDuplexHandler implements Owing {
  private final MemcachedBaseDecoder first;
  private ChannelHandlerContext context;
  private boolean waits;

  /// @param first the decoder that Infinispan asks
  @SuppressWarnings("NullAway") // The context is set as soon as the handler is added.
  MemcachedReads(MemcachedBaseDecoder first) {
    this.first = first;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  /// Nothing is read while an answer is waited for.
  @Override
  public boolean owesAnswers() {
    return !context.channel().config().isAutoRead();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    waits =
        message instanceof MemcachedResponse response
            && !CompletionStages.isCompletedSuccessfully(response.getResponse());
    ctx.fireChannelRead(message);
  }

  @Override
  public void read(ChannelHandlerContext ctx) {
    ctx.read();
    if (waits && ctx.channel().config().isAutoRead()) {
      waits = false; // Each read leads to another one, and they would never end.
      MemcachedBaseDecoder decoder = ctx.pipeline().get(MemcachedBaseDecoder.class);
      if (decoder != null && !decoder.equals(first)) {
        decoder.resumeRead();
      }
    }
  }
}
