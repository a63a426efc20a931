package io.varve.grid.guard;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executor;
import org.infinispan.server.hotrod.HotRodDecoder;
import org.infinispan.server.hotrod.HotRodServer;

/// The handlers of Hot Rod: those of Infinispan's server, of which the decoder stops at the first
/// request that it cannot read.
///
/// - HOTROD-1 After a request that is too long, or that is none, nothing of the connection is
///   decoded. Infinispan's decoder continues where it is, in the middle of a value, and puts what
///   it takes for one.
final class HotRodPipeline {
  private final HotRodServer server;

  HotRodPipeline(HotRodServer server) {
    this.server = server;
  }

  /// Adds all handlers.
  void addTo(ChannelPipeline pipeline) {
    pipeline.addLast(server.getInitializer());
    ChannelHandlerContext replaced = pipeline.context(HotRodDecoder.class);
    Executor executor = ((HotRodDecoder) replaced.handler()).getExecutor();
    var calls = new Calls(server, executor);
    pipeline.replace(replaced.name(), "varve-calls", calls);
    pipeline.addBefore("varve-calls", "varve-errors", new Errors(calls));
  }

  private static final class Calls extends HotRodDecoder {
    private boolean ended;

    Calls(HotRodServer server, Executor executor) {
      super(server.getCacheManager(), executor, server);
    }

    @Override
    public void decode(ChannelHandlerContext ctx, ByteBuf bytes, List<Object> out)
        throws Exception {
      if (ended || !ctx.channel().isOpen()) { // HOTROD-1
        bytes.skipBytes(bytes.readableBytes());
      } else {
        super.decode(ctx, bytes, out);
      }
    }
  }

  /// Ends a connection with the answer to a request that could not be read.
  @SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
  private static final class Errors extends ChannelOutboundHandlerAdapter {
    private static final int ERROR = 0x50;
    private static final int NO_MAGIC = 0x81;
    private static final int NOT_PARSED = 0x84;
    private static final int CONTINUES = 0x80; // of a number: another byte follows

    private final Calls calls;

    Errors(Calls calls) {
      this.calls = calls;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      if (message instanceof ByteBuf answer && isOfBadRequest(answer)) {
        calls.ended = true;
        ctx.writeAndFlush(message, promise.unvoid()).addListener(ChannelFutureListener.CLOSE);
      } else {
        ctx.write(message, promise);
      }
    }

    /// An answer: a magic byte, the number of the request, the operation, the status.
    private static boolean isOfBadRequest(ByteBuf answer) {
      int at = answer.readerIndex() + 1;
      int end = answer.writerIndex();
      while (at < end && (answer.getUnsignedByte(at) & CONTINUES) != 0) {
        at++;
      }
      at++;
      if (at + 1 >= end || answer.getUnsignedByte(at) != ERROR) {
        return false;
      }
      int status = answer.getUnsignedByte(at + 1);
      // That a cache is not there has the same status, and the request was read.
      return status >= NO_MAGIC
          && status <= NOT_PARSED
          && !answer.toString(StandardCharsets.ISO_8859_1).contains("CacheNotFound");
    }
  }
}
