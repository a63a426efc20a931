package io.varve.grid.guard.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import io.varve.grid.blobs.BlobResource;
import io.varve.grid.guard.connection.Refusal;
import io.varve.grid.guard.connection.RefusedRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Answers requests that are refused by their first lines, before their content is read.
///
/// - FILTER-1 After a refusal nothing of the connection is carried out ([RefusedRequest]).
/// - FILTER-2 The length of a body is beyond doubt: `Transfer-Encoding` is the one word `chunked`.
///   A proxy may read others in another way than Netty, and take a part of a body for a request.
/// - FILTER-3 A body whose chunks cannot be read is not carried out. Netty ends it where it cannot
///   read on, and what came before would be stored as the whole.
/// - FILTER-4 `Authorization` without a space is refused. Infinispan answers 500, and writes a
///   stack trace.
final class RequestFilter extends ChannelInboundHandlerAdapter {
  private final OriginRules origins;
  private final OfferedRequests offered;
  private final long bytesMax;
  private final RefusedRequest refused = new RefusedRequest();

  RequestFilter(OriginRules origins, OfferedRequests offered, long bytesMax) {
    this.origins = origins;
    this.offered = offered;
    this.bytesMax = bytesMax;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused.isAnswered()) {
      refused.drop(ctx, message);
      return;
    }
    if (message instanceof HttpRequest request) {
      Refusal refusal = refusal(request);
      if (refusal != null) {
        boolean hasEnded =
            !isTooLong(request)
                && (request.decoderResult().isFailure() || message instanceof LastHttpContent);
        ReferenceCountUtil.release(message);
        refused.answer(ctx, refusal, hasEnded);
        return;
      }
    }
    if (message instanceof HttpContent body && body.decoderResult().isFailure()) { // FILTER-3
      ReferenceCountUtil.release(message);
      refused.answer(
          ctx,
          new Refusal(HttpResponseStatus.BAD_REQUEST, "a chunk of the body is none"),
          /* hasEnded= */ true);
      return;
    }
    ctx.fireChannelRead(message);
  }

  private @Nullable Refusal refusal(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return isTooLong(request)
          ? new Refusal(HttpResponseStatus.REQUEST_URI_TOO_LONG, "the address is too long")
          : new Refusal(HttpResponseStatus.BAD_REQUEST, "this is no request of HTTP");
    }
    Refusal origin = origins.refusal(request);
    if (origin != null) {
      return origin;
    }
    String credentials = request.headers().get(HttpHeaderNames.AUTHORIZATION);
    if (credentials != null && credentials.strip().indexOf(' ') < 0) { // FILTER-4
      return new Refusal(
          HttpResponseStatus.BAD_REQUEST, "Authorization is a scheme, a space and credentials");
    }
    List<String> encodings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (!encodings.isEmpty()
        && !(encodings.size() == 1
            && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(encodings.getFirst()))) {
      return new Refusal(
          HttpResponseStatus.BAD_REQUEST, "the only Transfer-Encoding that is taken is chunked");
    }
    if (HttpUtil.getContentLength(request, 0L) > bytesMax && !BlobResource.takes(request.uri())) {
      return tooLong(bytesMax);
    }
    Refusal refusal = offered.refusal(request.method(), request.uri());
    return refusal == null ? EntryHeaders.refusal(request) : refusal;
  }

  /// Whether the first line of a request is too long. Netty drops what is left of it.
  private static boolean isTooLong(HttpRequest request) {
    return request.decoderResult().cause() instanceof TooLongHttpLineException;
  }

  /// Why a request is not read that has more bytes than the node takes.
  static Refusal tooLong(long bytesMax) {
    return new Refusal(
        HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
        "the request is longer than this node takes: bytes="
            + bytesMax
            + "; that is --value-max, or an eighth of the heap if that is less (-Xmx)");
  }
}
