package io.varve.grid.guard.connection;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslCloseCompletionEvent;

/// The first handler of a protocol, which notifies the [Connection] of answers (CONNECTION-2). TLS
/// comes before it. HTTP has `HeldBodies` instead.
///
/// (TLS-1) A client that has ended its TLS has ended its output (CONNECTION-6). That end is read
/// while a command waits, and that of the connection after it may not be: the command would take an
/// element for nobody. TLS 1.3 lets the client have its answers then. In TLS 1.2 the JDK ends both
/// directions, so that the first answer closes the connection.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
public final class Answers extends ChannelDuplexHandler {
  private Connection connection;

  @SuppressWarnings("NullAway") // Set as soon as the handler is added.
  public Answers() {}

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    connection = Connection.of(ctx.channel());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    ctx.fireUserEventTriggered(event);
    if (event instanceof SslCloseCompletionEvent) { // TLS-1
      connection.endInput(ctx);
    }
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    connection.answered();
    ctx.flush();
  }
}
