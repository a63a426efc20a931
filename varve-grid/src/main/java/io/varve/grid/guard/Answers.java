package io.varve.grid.guard;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslCloseCompletionEvent;

/// The first handler of a protocol, which notifies the [Connection] of answers (CONNECTION-2). TLS
/// comes before it. HTTP has [HeldBodies] instead.
///
/// (TLS-1) A connection whose client has ended its TLS is closed, as one whose client has ended it
/// without TLS. That end is read while a command waits, and what follows it may not be: the command
/// would take an element for nobody.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
final class Answers extends ChannelDuplexHandler {
  private Connection connection;

  @SuppressWarnings("NullAway") // Set as soon as the handler is added.
  Answers() {}

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    connection = Connection.of(ctx.channel());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    ctx.fireUserEventTriggered(event);
    if (event instanceof SslCloseCompletionEvent) { // TLS-1
      ctx.close();
    }
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    connection.answered();
    ctx.flush();
  }
}
