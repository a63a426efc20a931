package io.varve.grid.guard.memcached;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import java.util.List;
import org.infinispan.server.core.ProtocolDetector;
import org.infinispan.server.core.transport.AccessControlFilter;
import org.infinispan.server.core.transport.CacheInitializeInboundAdapter;
import org.infinispan.server.memcached.MemcachedBaseDecoder;
import org.infinispan.server.memcached.MemcachedInboundAdapter;
import org.infinispan.server.memcached.MemcachedServer;
import org.infinispan.server.memcached.binary.BinaryAuthDecoderImpl;
import org.infinispan.server.memcached.binary.BinaryOpDecoderImpl;
import org.infinispan.server.memcached.configuration.MemcachedProtocol;

/// The handlers of memcached: those of Infinispan's server, with ours for its answers.
///
/// (MEMCACHED-5) What ends a connection here, as `quit` does, comes after the answers to what came
/// before it. Infinispan closes the connection with the answers that it still collects.
public final class MemcachedPipeline {
  private MemcachedPipeline() {}

  /// Adds all handlers to a connection of the port that all protocols share.
  public static void addTo(
      ChannelPipeline pipeline, MemcachedServer server, MemcachedProtocol protocol) {
    pipeline.addLast(server.getInitializer(protocol));
    guard(pipeline, server);
  }

  private static void guard(ChannelPipeline pipeline, MemcachedServer server) {
    MemcachedLogins.guard(pipeline, server);
    MemcachedDecoders.install(pipeline, server);
    MemcachedBaseDecoder decoder = pipeline.get(MemcachedBaseDecoder.class);
    var answers = new MemcachedAnswers(decoder, server);
    pipeline.replace(MemcachedInboundAdapter.class, "varve-memcached", answers);
    pipeline.addBefore("varve-memcached", "varve-memcached-reads", new MemcachedReads(decoder));
    pipeline.addBefore(
        pipeline.context(decoder).name(), "varve-memcached-end", new AnswersFirst(answers));
    decoder.registerExceptionHandler(answers::handleExceptionally);
    if (!(decoder instanceof BinaryOpDecoderImpl) && !(decoder instanceof BinaryAuthDecoderImpl)) {
      pipeline.addBefore(
          pipeline.context(decoder).name(), "varve-memcached-lines", new MemcachedLines());
    }
  }

  /// Writes the answers that are collected before the connection ends. (MEMCACHED-5)
  @SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
  private static final class AnswersFirst extends ChannelOutboundHandlerAdapter {
    private final MemcachedAnswers answers;

    AnswersFirst(MemcachedAnswers answers) {
      this.answers = answers;
    }

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
      ChannelHandlerContext collecting = ctx.pipeline().context(answers);
      if (collecting != null) { // It is removed first when a channel has ended.
        answers.flushBufferIfNeeded(collecting);
      }
      ctx.close(promise);
    }
  }

  /// Finds which of its protocols a client speaks on the port of memcached alone. Infinispan's
  /// would add handlers that are not ours.
  public static final class Detector extends ProtocolDetector {
    private final MemcachedServer memcached;

    public Detector(MemcachedServer memcached) {
      super(memcached);
      this.memcached = memcached;
    }

    @Override
    public String getName() {
      return "varve-memcached-detector";
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      if (!in.isReadable()) {
        return;
      }
      int first = in.getUnsignedByte(in.readerIndex());
      var protocol =
          first == MemcachedFrames.BINARY ? MemcachedProtocol.BINARY : MemcachedProtocol.TEXT;
      var decoder = (MemcachedBaseDecoder) memcached.getDecoder(protocol);
      trimPipeline(ctx);
      ctx.pipeline().addLast("decoder", decoder);
      memcached.installMemcachedInboundHandler(ctx.channel(), decoder);
      guard(ctx.pipeline(), memcached);
      ctx.pipeline().fireUserEventTriggered(AccessControlFilter.EVENT);
      ctx.pipeline().fireUserEventTriggered(CacheInitializeInboundAdapter.CACHE_INITIALIZE_EVENT);
      ctx.pipeline().remove(this);
    }
  }
}
