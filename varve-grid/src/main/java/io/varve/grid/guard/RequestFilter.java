package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Answers requests that are refused by their first lines, before their content is read.
///
/// - FILTER-1 After a refusal nothing of the connection is carried out. What a client still sends
///   of a request that is too long is dropped for a short time, so that it hears why.
/// - FILTER-2 The length of a body is beyond doubt: `Transfer-Encoding` is the one word `chunked`.
///   A proxy may read others in another way than Netty, and take a part of a body for a request.
/// - FILTER-3 A body whose chunks cannot be read is not carried out. Netty ends it where it cannot
///   read on, and what came before would be stored as the whole.
final class RequestFilter extends ChannelInboundHandlerAdapter {
  /// In which a client that still sends reads the answer. An end of the connection before it has
  /// would take that away.
  static final long LISTEN_MILLIS = 1_000;

  /// What a body may be compressed in (COMPRESSED-2).
  static final String BODY_FORMATS = "gzip, deflate";

  private final OriginRules origins;
  private final OfferedRequests offered;
  private final long bytesMax;
  private boolean refused;

  RequestFilter(OriginRules origins, OfferedRequests offered, long bytesMax) {
    this.origins = origins;
    this.offered = offered;
    this.bytesMax = bytesMax;
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
    if (message instanceof HttpContent body && body.decoderResult().isFailure()) { // FILTER-3
      refused = true;
      ReferenceCountUtil.release(message);
      answer(ctx, new Refusal(HttpResponseStatus.BAD_REQUEST, "a chunk of the body is none"));
      return;
    }
    ctx.fireChannelRead(message);
  }

  private @Nullable Refusal refusal(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return new Refusal(HttpResponseStatus.BAD_REQUEST, "this is no request of HTTP");
    }
    Refusal origin = origins.refusal(request);
    if (origin != null) {
      return origin;
    }
    List<String> encodings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (!encodings.isEmpty()
        && !(encodings.size() == 1
            && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(encodings.getFirst()))) {
      return new Refusal(
          HttpResponseStatus.BAD_REQUEST, "the only Transfer-Encoding that is taken is chunked");
    }
    return HttpUtil.getContentLength(request, 0L) > bytesMax
        ? tooLong(bytesMax)
        : offered.refusal(request.method(), request.uri());
  }

  /// Why a request is not read that has more bytes than the node takes.
  static Refusal tooLong(long bytesMax) {
    return new Refusal(
        HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
        "the request is longer than this node takes: bytes="
            + bytesMax
            + "; that is --value-max, or an eighth of the heap if that is less (-Xmx)");
  }

  /// Sends a refusal, and closes the connection: what follows on it is not read.
  @SuppressWarnings("FutureReturnValueIgnored") // the connection ends in any case
  static void answer(ChannelHandlerContext ctx, Refusal refusal) {
    FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, refusal.status());
    response.content().writeCharSequence(refusal.reason() + "\n", StandardCharsets.UTF_8);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=UTF-8");
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
    response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    if (refusal.status().equals(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE)) { // RFC 9110, 15.5.16
      response.headers().set(HttpHeaderNames.ACCEPT_ENCODING, BODY_FORMATS);
    }
    boolean isSending = refusal.status().equals(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
    ctx.writeAndFlush(response)
        .addListener(written -> {
          if (isSending && written.isSuccess()) {
            ctx.executor().schedule(() -> ctx.close(), LISTEN_MILLIS, TimeUnit.MILLISECONDS);
          } else {
            ctx.close();
          }
        });
  }
}
