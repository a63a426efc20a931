package io.varve.grid.guard.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.compression.StandardCompressionOptions;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http2.CleartextHttp2ServerUpgradeHandler;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream.State;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.stream.ChunkedWriteHandler;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.connection.Limits;
import io.varve.grid.guard.connection.Owing;
import io.varve.grid.guard.connection.RequestThreads;
import io.varve.grid.guard.connection.RequestTurns;
import org.infinispan.rest.ALPNHandler;
import org.infinispan.rest.RestChannelInitializer;
import org.infinispan.rest.RestServer;
import org.infinispan.rest.configuration.RestServerConfiguration;
import org.infinispan.server.core.transport.AccessControlFilter;
import org.jspecify.annotations.Nullable;

/// The handlers of HTTP, 1.1 and 2: those of Infinispan's server, with ours where a request begins
/// and where it is whole. Infinispan makes its own in a static method, so they are replaced. The
/// last, which carries requests out, is not run by the event loop ([RequestThreads]).
///
/// (HTTP-1) In clear text HTTP/2 begins with its preface alone. A request of HTTP/1.1 that asks for
/// an upgrade is answered by HTTP/1.1. Netty would make a request of HTTP/2 of it, and pass it on
/// whether its body could be read or not (FILTER-2, FILTER-3).
///
/// (HTTP-2) An answer whose ranges can be asked for is sent as it is: its length, its tag and its
/// ranges are of these bytes.
///
/// (HTTP-3) A stream of HTTP/2 that is not read stops no other one. The window of a connection has
/// those of all its streams.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
public final class HttpPipeline {
  /// An item of 4,095 bytes whose bytes are all escaped, as in the address of the page after it.
  private static final int LINE_BYTES_MAX = 16 << 10;

  private static final int HEADER_BYTES_MAX = 8192;

  /// Requests of a connection of HTTP/2 at a time: as many as its standard wants at least.
  private static final int STREAMS_MAX = 100;

  private static final int WINDOWS_BYTES = STREAMS_MAX * Http2CodecUtil.DEFAULT_WINDOW_SIZE;

  private final RestServer rest;
  private final Limits limits;
  private final RequestThreads threads;
  private final RestChannelInitializer handlers;

  public HttpPipeline(RestServer rest, Limits limits, RequestThreads threads) {
    this.rest = rest;
    this.limits = limits;
    this.threads = threads;
    this.handlers = rest.getRestChannelInitializer();
    RestCalls.install(rest, limits.valueBytesMax());
    HttpLogins.install(rest);
  }

  /// Replaces the handlers of HTTP in a pipeline, if it has them.
  public boolean install(ChannelPipeline pipeline) {
    ChannelHandlerContext clear = pipeline.context(CleartextHttp2ServerUpgradeHandler.class);
    ChannelHandlerContext encrypted = pipeline.context(ALPNHandler.class);
    if (encrypted != null) {
      pipeline.replace(encrypted.name(), "varve-alpn", new Negotiated(rest));
    } else if (clear != null) {
      removeFrom(pipeline, clear.handler());
      addTo(pipeline);
    } else {
      return false;
    }
    return true;
  }

  private static void removeFrom(ChannelPipeline pipeline, ChannelHandler first) {
    ChannelHandler removed;
    do {
      removed = pipeline.removeLast();
    } while (!removed.equals(first));
  }

  /// Adds the handlers once a client has said by TLS which protocol it speaks.
  private final class Negotiated extends ALPNHandler {
    Negotiated(RestServer rest) {
      super(rest);
    }

    @Override
    public void configurePipeline(ChannelHandlerContext ctx, String protocol) {
      switch (protocol) {
        case ApplicationProtocolNames.HTTP_1_1, ApplicationProtocolNames.HTTP_2 ->
            addTo(ctx.pipeline());
        default -> super.configurePipeline(ctx, protocol);
      }
    }
  }

  private void addTo(ChannelPipeline pipeline) {
    Http2FrameCodec frames =
        Http2FrameCodecBuilder.forServer()
            .initialSettings(Http2Settings.defaultSettings().maxConcurrentStreams(STREAMS_MAX))
            .build();
    var streams =
        new Http2MultiplexHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel stream) {
                Connection.of(stream).hasStreams();
                stream.pipeline().addLast(new Http2StreamFrameToHttpObjectCodec(true));
                addHandlers(stream.pipeline());
              }
            });
    var codec = new HttpServerCodec(LINE_BYTES_MAX, HEADER_BYTES_MAX, rest.maxContentLength());
    var upgrade =
        new HttpServerUpgradeHandler(codec, _ -> null) {
          // HTTP-1
          @Override
          protected boolean shouldHandleUpgradeRequest(HttpRequest request) {
            return false;
          }
        };
    pipeline.addLast(
        new CleartextHttp2ServerUpgradeHandler(
            codec, upgrade, new PriorKnowledge(frames, streams)));
    addHandlers(pipeline);
  }

  /// Adds the handlers of HTTP/2 when its preface has come.
  private static final class PriorKnowledge extends ChannelHandlerAdapter implements Owing {
    private final Http2FrameCodec frames;
    private final Http2MultiplexHandler streams;

    PriorKnowledge(Http2FrameCodec frames, Http2MultiplexHandler streams) {
      this.frames = frames;
      this.streams = streams;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      ctx.pipeline().addAfter(ctx.name(), null, frames);
      ChannelHandlerContext ofFrames = ctx.pipeline().context(frames);
      ctx.pipeline().addAfter(ofFrames.name(), null, streams);
      ctx.pipeline()
          .context(streams)
          .writeAndFlush(new DefaultHttp2WindowUpdateFrame(WINDOWS_BYTES)); // HTTP-3
    }

    /// Whether a stream is open whose request has come as a whole.
    @Override
    public boolean owesAnswers() {
      try {
        return frames
                .connection()
                .forEachActiveStream(stream -> stream.state() != State.HALF_CLOSED_REMOTE)
            != null;
      } catch (Http2Exception e) {
        throw new IllegalStateException("to look at a stream fails by nothing", e);
      }
    }
  }

  private void addHandlers(ChannelPipeline pipeline) {
    RestServerConfiguration configuration = rest.getConfiguration();
    int level = configuration.getCompressionLevel();
    pipeline.addLast(new AccessControlFilter<>(configuration, false));
    pipeline.addLast(new RequestTurns()); // The next one takes 128 requests at a time.
    pipeline.addLast(
        new HttpContentCompressor(
            configuration.getCompressionThreshold(),
            StandardCompressionOptions.deflate(level, 15, 8),
            StandardCompressionOptions.gzip(level, 15, 8)) {
          // HTTP-2
          @Override
          protected @Nullable Result beginEncode(HttpResponse answer, String accepted)
              throws Exception {
            return answer.headers().contains(HttpHeaderNames.ACCEPT_RANGES)
                ? null
                : super.beginEncode(answer, accepted);
          }
        });
    pipeline.addLast(
        new RequestFilter(
            new OriginRules(limits.names()), new OfferedRequests(), limits.valueBytesMax()));
    pipeline.addLast(new BlobExchange(limits.answerWithin()));
    pipeline.addLast(new CompressedBodies(rest.maxContentLength()));
    pipeline.addLast(new HeldBodies());
    pipeline.addLast(new WholeRequests(limits.valueBytesMax()));
    pipeline.addLast(new EndedBodies());
    pipeline.addLast(new ItemMessages());
    pipeline.addLast(new StreamNumbers());
    pipeline.addLast(new HttpServerKeepAliveHandler());
    pipeline.addLast(new ChunkedWriteHandler());
    pipeline.addLast(new EventStreams(rest.getCacheManager()));
    pipeline.addLast(new HttpAnswers());
    pipeline.addLast(threads.group(), new HttpLogins.Requests(), handlers.getRestHandler());
  }
}
