package io.varve.grid.guard.connection;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A request that was refused, from its answer to the end of its connection, or of its stream in
/// HTTP/2. Used by the event loop of the connection alone.
///
/// (REFUSED-1) What the client still sends of the request is dropped up to its end, for
/// [#LISTEN_MILLIS] at most. An end of the connection before that would take the answer away from a
/// client that still sends.
public final class RefusedRequest {
  public static final long LISTEN_MILLIS = 1_000;

  /// What a body may be compressed in (COMPRESSED-2).
  public static final String BODY_FORMATS = "gzip, deflate";

  private @Nullable ChannelFuture answer;

  /// Whether a request was refused, so that nothing that follows is carried out.
  public boolean isAnswered() {
    return answer != null;
  }

  /// Sends a refusal, and closes the connection once the request has ended: what follows is not
  /// read.
  ///
  /// @param hasEnded whether no more of the request is read
  @SuppressWarnings("FutureReturnValueIgnored") // the connection ends in any case
  public void answer(ChannelHandlerContext ctx, Refusal refusal, boolean hasEnded) {
    ChannelFuture sent = ctx.writeAndFlush(response(refusal));
    answer = sent;
    sent.addListener(written -> {
      if (hasEnded || !written.isSuccess()) {
        ctx.close();
      } else {
        ctx.executor().schedule(() -> ctx.close(), LISTEN_MILLIS, TimeUnit.MILLISECONDS);
      }
    });
  }

  private static FullHttpResponse response(Refusal refusal) {
    FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, refusal.status());
    response.content().writeCharSequence(refusal.reason() + "\n", StandardCharsets.UTF_8);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=UTF-8");
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
    response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    if (refusal.status().equals(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE)) { // RFC 9110, 15.5.16
      response.headers().set(HttpHeaderNames.ACCEPT_ENCODING, BODY_FORMATS);
    }
    return response;
  }

  /// Drops what was read after the refusal (REFUSED-1).
  @SuppressWarnings("FutureReturnValueIgnored") // the connection ends in any case
  public void drop(ChannelHandlerContext ctx, Object message) {
    ReferenceCountUtil.release(message);
    ChannelFuture sent = answer;
    if (message instanceof LastHttpContent && sent != null) {
      sent.addListener(_ -> ctx.close());
    }
  }
}
