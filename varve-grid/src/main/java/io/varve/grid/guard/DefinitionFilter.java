package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;

/// Looks at definitions of caches before they are parsed.
final class DefinitionFilter extends ChannelInboundHandlerAdapter {
  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof FullHttpRequest request
        && request.content().isReadable()
        && OfferedRequests.isDefinition(request.method(), request.uri())) {
      String refusal = CacheDefinition.refusal(request.content().toString(StandardCharsets.UTF_8));
      if (refusal != null) {
        request.release();
        RequestFilter.answer(ctx, new Refusal(HttpResponseStatus.FORBIDDEN, "refused: " + refusal));
        return;
      }
    }
    ctx.fireChannelRead(message);
  }
}
