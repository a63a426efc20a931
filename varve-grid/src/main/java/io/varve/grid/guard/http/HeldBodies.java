package io.varve.grid.guard.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.varve.grid.guard.connection.Connection;

/// Counts the bodies of requests of HTTP until the answer (CONNECTION-2), as they are in memory,
/// which is after they were decompressed. Reports when one is whole. It comes right before what
/// puts their parts together ([WholeRequests]).
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
public final class HeldBodies extends ChannelDuplexHandler {
  private Connection connection;
  private long heldBytes;
  private boolean refused;

  @SuppressWarnings("NullAway") // Set as soon as the handler is added.
  public HeldBodies() {}

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    connection = Connection.of(ctx.channel());
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpContent part && !refused) {
      int bytes = part.content().readableBytes();
      heldBytes += bytes;
      refused = !connection.keep(bytes);
    }
    if (refused) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof LastHttpContent) {
      connection.requested();
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    ctx.fireUserEventTriggered(event);
    boolean isStream = ctx.pipeline().get(Connection.class) == null; // which has the event first
    if (event instanceof SslCloseCompletionEvent && !isStream) { // TLS-1
      connection.endInput(ctx);
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (message instanceof HttpResponse response
        && response.status().codeClass() != HttpStatusClass.INFORMATIONAL) {
      connection.answered();
      release();
    }
    ctx.write(message, promise);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    release();
  }

  private void release() {
    if (heldBytes > 0) {
      connection.free(heldBytes);
      heldBytes = 0;
    }
  }
}
