package io.varve.grid.guard.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.concurrent.PromiseNotifier;
import io.varve.grid.guard.connection.Connection;
import java.nio.channels.ClosedChannelException;

/// Counts the answers of HTTP that a client has not taken (CONNECTION-5). One beyond the bound ends
/// the connection. Netty copies an answer to memory outside of the heap as soon as it is written:
/// 70 clients that asked for 20 MB and read nothing had the node wait for its collector.
///
/// (ANSWERS-1) What the handlers before it do when an answer was taken is done by the event loop,
/// as all else that they do. The promise of an answer is one of the thread that carried the request
/// out, which would do it. Then a request that came at that time waited without end: the event loop
/// saw that the answer was not taken, and the thread that no request waited. One of some 14,000
/// requests on connections that stayed open had no answer.
final class HttpAnswers extends ChannelOutboundHandlerAdapter {
  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (message instanceof HttpResponse response) {
      EntryLengths.set(response);
    }
    ChannelPromise taken = ctx.newPromise(); // ANSWERS-1
    PromiseNotifier.cascade(/* logNotifyFailure= */ false, taken, promise.unvoid());
    int bytes = message instanceof FullHttpResponse answer ? answer.content().readableBytes() : 0;
    if (bytes == 0) {
      ctx.write(message, taken);
      return;
    }
    Connection connection = Connection.of(ctx.channel());
    if (connection.holdAnswer(bytes)) {
      ctx.write(message, taken).addListener(_ -> connection.answerTaken(bytes));
    } else {
      ((FullHttpResponse) message).release();
      taken.tryFailure(new ClosedChannelException());
    }
  }
}
