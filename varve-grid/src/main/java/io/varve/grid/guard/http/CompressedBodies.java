package io.varve.grid.guard.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.compression.JdkZlibDecoder;
import io.netty.handler.codec.compression.ZlibDecoder;
import io.netty.handler.codec.compression.ZlibWrapper;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpContentDecompressor;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.varve.grid.guard.connection.Refusal;
import io.varve.grid.guard.connection.RefusedRequest;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decompresses the bodies of requests, and refuses those that cannot be decompressed as a whole.
///
/// (COMPRESSED-1) Of such a body nothing is carried out. Netty ends one where its bytes end, and
/// what came before would be stored as the whole: of a few bytes, nothing. The request may be whole
/// all the same, as where a client sends a file that was not written to its end.
///
/// (COMPRESSED-2) A body is in one format that is decompressed here, or in none. Netty passes one
/// in another format on as it came. It would be stored so, and nothing would tell its readers.
public final class CompressedBodies extends HttpContentDecompressor {
  private static final Set<String> TAKEN =
      Set.of("gzip", "x-gzip", "deflate", "x-deflate", "identity");

  private final int bytesMax;

  /// Of the body that is read; null where it is not compressed.
  private @Nullable ZlibDecoder decoder;

  private boolean hasBegun; // the body
  private boolean isLast; // what is read of the body
  private final RefusedRequest refused = new RefusedRequest();

  public CompressedBodies(int bytesMax) {
    super(bytesMax);
    this.bytesMax = bytesMax;
  }

  @Override
  protected @Nullable EmbeddedChannel newContentDecoder(String encoding) throws Exception {
    decoder = null;
    hasBegun = false;
    boolean isGzip = encoding.equalsIgnoreCase("gzip") || encoding.equalsIgnoreCase("x-gzip");
    EmbeddedChannel decoding =
        isGzip ? new EmbeddedChannel(new GzipMember()) : super.newContentDecoder(encoding);
    if (decoding != null) {
      if (!isGzip) {
        decoder = decoding.pipeline().get(ZlibDecoder.class);
      }
      decoding.pipeline().addLast(new End());
    }
    return decoding;
  }

  /// A member of a body in the format of gzip, which has one or more. Netty's own decoder of them
  /// all does not show whether the last one is whole.
  private final class GzipMember extends JdkZlibDecoder {
    GzipMember() {
      super(ZlibWrapper.GZIP, /* decompressConcatenated= */ false, bytesMax);
      decoder = this;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
        throws Exception {
      if (!isClosed()) {
        super.decode(ctx, in, out);
      } else if (in.isReadable()) { // The next member has a decoder of its own.
        ctx.pipeline().addAfter(ctx.name(), null, new GzipMember());
        ctx.pipeline().remove(this);
      }
    }
  }

  /// Fails where a body ends that is not whole, before the end is passed on.
  private final class End extends ChannelInboundHandlerAdapter {
    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      if (isLast && hasBegun && decoder != null && !decoder.isClosed()) { // COMPRESSED-1
        throw new DecompressionException("the end of the body is not there");
      }
      ctx.fireChannelInactive();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    if (refused.isAnswered()) { // FILTER-1
      refused.drop(ctx, message);
      return;
    }
    if (message instanceof HttpRequest request && !isTaken(request)) { // COMPRESSED-2
      ReferenceCountUtil.release(message);
      refuse(
          ctx,
          message,
          new Refusal(
              HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
              "the Content-Encoding is none that is taken; those are: "
                  + RefusedRequest.BODY_FORMATS));
      return;
    }
    try {
      super.channelRead(ctx, message);
    } catch (DecoderException _) {
      refuse(
          ctx,
          message,
          new Refusal(
              HttpResponseStatus.BAD_REQUEST,
              "the compressed body is damaged, not whole, or too long: max=" + bytesMax));
    }
  }

  private static boolean isTaken(HttpRequest request) {
    List<String> formats = request.headers().getAll(HttpHeaderNames.CONTENT_ENCODING);
    return formats.isEmpty()
        || (formats.size() == 1
            && TAKEN.contains(formats.getFirst().strip().toLowerCase(Locale.ROOT)));
  }

  private void refuse(ChannelHandlerContext ctx, Object message, Refusal refusal) {
    isLast = false; // The end of the connection is none of a body.
    refused.answer(ctx, refusal, message instanceof LastHttpContent);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, HttpObject message, List<Object> out)
      throws Exception {
    isLast = message instanceof LastHttpContent;
    boolean hasBytes = message instanceof HttpContent part && part.content().isReadable();
    hasBegun |= hasBytes;
    super.decode(ctx, message, out);
    hasBegun |= hasBytes; // A request that is one message has its decoder since.
  }
}
