package io.varve.grid.guard.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.varve.grid.items.ItemResource;

/// What Infinispan's server does not know of requests for items and their answers. One request of a
/// connection is under way at a time (TURNS-1).
///
/// - ITEMMESSAGE-1 A `PATCH` is passed on as `POST`, which means the same there. Infinispan answers
///   that a `PATCH` is not implemented. Logins know what was sent, by a header that no client sets
///   ([SentMethods]).
/// - ITEMMESSAGE-2 An answer without a body that would have one to `GET` states no length.
///   Infinispan states that of the body that it sends, which is 0.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
final class ItemMessages extends ChannelDuplexHandler {
  /// Has the method of a request that is passed on with another.
  static final String SENT_METHOD = "varve-sent-method";

  private boolean isOfItems;
  private boolean asksForHead;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest request) {
      isOfItems = ItemResource.takes(request.uri());
      asksForHead = request.method().equals(HttpMethod.HEAD);
      request.headers().remove(SENT_METHOD);
      if (isOfItems && request.method().equals(HttpMethod.PATCH)) { // ITEMMESSAGE-1
        request.headers().set(SENT_METHOD, request.method().name());
        request.setMethod(HttpMethod.POST);
      }
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (isOfItems
        && message instanceof HttpResponse answer
        && (asksForHead || answer.status().equals(HttpResponseStatus.NOT_MODIFIED))) {
      answer.headers().remove(HttpHeaderNames.CONTENT_LENGTH); // ITEMMESSAGE-2
    }
    ctx.write(message, promise);
  }
}
