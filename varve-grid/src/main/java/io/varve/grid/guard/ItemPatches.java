package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.varve.grid.items.ItemResource;

/// Passes a `PATCH` of items on as `POST`, which means the same there. Infinispan knows no `PATCH`,
/// and answers that it is not implemented.
final class ItemPatches extends ChannelInboundHandlerAdapter {
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest request
        && request.method().equals(HttpMethod.PATCH)
        && ItemResource.takes(request.uri())) {
      request.setMethod(HttpMethod.POST);
    }
    ctx.fireChannelRead(message);
  }
}
