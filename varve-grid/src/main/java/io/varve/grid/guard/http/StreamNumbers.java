package io.varve.grid.guard.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http2.HttpConversionUtil;
import org.jspecify.annotations.Nullable;

/// Gives the answer to a request of HTTP/2 the number of its stream.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
final class StreamNumbers extends ChannelDuplexHandler {
  private static final CharSequence HEADER =
      HttpConversionUtil.ExtensionHeaderNames.STREAM_ID.text();
  private @Nullable Integer stream;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest request) {
      stream = request.headers().getInt(HEADER);
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (stream != null && message instanceof HttpResponse response) {
      response.headers().add(HEADER, stream);
    }
    ctx.write(message, promise);
  }
}
