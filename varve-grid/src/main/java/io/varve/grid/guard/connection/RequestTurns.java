package io.varve.grid.guard.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;

/// Passes the requests of a connection on one after the other. Infinispan carries them out at the
/// same time, and answers each when it is done.
///
/// - TURNS-1 A request is passed on when the connection has taken the answer to the one before it.
///   So answers have the order of their requests, by which alone a client knows them. A client that
///   sends short requests and reads nothing has one long answer kept for it, and not one for each.
/// - TURNS-2 While one waits, nothing more is read.
/// - TURNS-3 An answer that cannot be written ends the connection: the answer to the next request
///   would be taken for it.
/// - TURNS-4 Handlers that stop the reading end that by [#resume]. Each passes no read on for as
///   long as it has stopped, so the last of them reads. The channel alone would have read for the
///   first.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
public final class RequestTurns extends ChannelDuplexHandler implements Owing {
  /// Parts of requests, in their order.
  private final Queue<HttpObject> waiting = new ArrayDeque<>();

  private boolean continues; // parts of the request that was passed on last are to come
  private boolean isUnanswered;
  private boolean asksForHead;

  /// A request of which no more comes is not answered.
  @Override
  public boolean owesAnswers() {
    return !waiting.isEmpty() || (isUnanswered && !continues);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof HttpObject part)) {
      ctx.fireChannelRead(message);
    } else if (waiting.isEmpty() && mayPass()) {
      pass(ctx, part);
    } else {
      waiting.add(part);
      ctx.channel().config().setAutoRead(false); // TURNS-2
    }
  }

  /// TURNS-2. What decompresses bodies asks for more where it has passed nothing on, and does not
  /// see those that wait here.
  @Override
  public void read(ChannelHandlerContext ctx) {
    if (waiting.isEmpty()) {
      ctx.read();
    }
  }

  private boolean mayPass() {
    return continues || !isUnanswered;
  }

  private void pass(ChannelHandlerContext ctx, HttpObject part) {
    if (part instanceof HttpRequest request) {
      isUnanswered = true;
      continues = true;
      asksForHead = HttpMethod.HEAD.equals(request.method());
    }
    if (part instanceof LastHttpContent) {
      continues = false;
    }
    ctx.fireChannelRead(part);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (endsAnswer(message)) {
      ctx.write(message, promise.unvoid())
          .addListener(taken -> {
            isUnanswered = false;
            if (!taken.isSuccess()) { // TURNS-3
              ctx.close();
            } else if (!waiting.isEmpty()) {
              ctx.executor().execute(() -> passNext(ctx)); // after the rest of what is done here
            }
            Connection.of(ctx.channel()).lookForEnd();
          });
    } else {
      ctx.write(message, promise);
    }
  }

  private boolean endsAnswer(Object message) {
    if (message instanceof HttpResponse response) {
      return response.status().codeClass() != HttpStatusClass.INFORMATIONAL
          && (asksForHead || response instanceof LastHttpContent);
    }
    return message instanceof LastHttpContent;
  }

  private void passNext(ChannelHandlerContext ctx) {
    while (!waiting.isEmpty() && mayPass()) {
      pass(ctx, waiting.remove());
    }
    if (waiting.isEmpty()) {
      resume(ctx.channel());
    }
  }

  /// Has a channel read on, as soon as none of its handlers refuses it. (TURNS-4) It asks for one
  /// read: after a second one a stream of HTTP/2 keeps its next window to itself, as Netty does not
  /// flush it.
  public static void resume(Channel channel) {
    if (channel.config().isAutoRead()) {
      channel.read();
    } else {
      channel.config().setAutoRead(true); // which reads
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    while (!waiting.isEmpty()) {
      ReferenceCountUtil.release(waiting.remove());
    }
  }
}
