package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;

/// The first handler of a protocol, which notifies the [Connection] of answers (CONNECTION-2). TLS
/// comes before it. HTTP has [HeldBodies] instead.
final class Answers extends ChannelOutboundHandlerAdapter {
  private Connection connection;

  @SuppressWarnings("NullAway") // Set as soon as the handler is added.
  Answers() {}

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    connection = Connection.of(ctx.channel());
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    connection.answered();
    ctx.flush();
  }
}
