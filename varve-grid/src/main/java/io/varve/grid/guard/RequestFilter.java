package io.varve.grid.guard;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Answers requests that are refused by their first lines, before their content is read.
final class RequestFilter extends ChannelInboundHandlerAdapter {
  private final OriginRules origins;
  private final OfferedRequests offered;
  private boolean refused;

  RequestFilter(OriginRules origins, OfferedRequests offered) {
    this.origins = origins;
    this.offered = offered;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest request) {
      Refusal refusal = refusal(request);
      if (refusal != null) {
        refused = true;
        ReferenceCountUtil.release(message);
        answer(ctx, refusal);
        return;
      }
    }
    ctx.fireChannelRead(message);
  }

  private @Nullable Refusal refusal(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return new Refusal(HttpResponseStatus.BAD_REQUEST, "this is no request of HTTP");
    }
    Refusal origin = origins.refusal(request);
    return origin != null ? origin : offered.refusal(request.method(), request.uri());
  }

  /// Sends a refusal, and closes the connection: what follows on it is not read.
  static void answer(ChannelHandlerContext ctx, Refusal refusal) {
    FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, refusal.status());
    response.content().writeCharSequence(refusal.reason() + "\n", StandardCharsets.UTF_8);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=UTF-8");
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
    response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    ctx.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }
}
