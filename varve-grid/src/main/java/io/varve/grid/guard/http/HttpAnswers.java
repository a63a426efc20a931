package io.varve.grid.guard.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.varve.grid.guard.connection.Connection;
import java.nio.channels.ClosedChannelException;

/// Counts the answers of HTTP that a client has not taken (CONNECTION-5). One beyond the bound ends
/// the connection. Netty copies an answer to memory outside of the heap as soon as it is written:
/// 70 clients that asked for 20 MB and read nothing had the node wait for its collector.
final class HttpAnswers extends ChannelOutboundHandlerAdapter {
  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    int bytes = message instanceof FullHttpResponse answer ? answer.content().readableBytes() : 0;
    if (bytes == 0) {
      ctx.write(message, promise);
      return;
    }
    Connection connection = Connection.of(ctx.channel());
    if (connection.holdAnswer(bytes)) {
      ctx.write(message, promise.unvoid()).addListener(_ -> connection.answerTaken(bytes));
    } else {
      ((FullHttpResponse) message).release();
      promise.tryFailure(new ClosedChannelException());
    }
  }
}
