package io.varve.grid.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.connection.FrameRule;
import io.varve.grid.guard.connection.Limits;
import io.varve.grid.guard.connection.Peer;
import io.varve.grid.guard.connection.RareLog;
import io.varve.grid.guard.memcached.MemcachedFrames;
import org.jspecify.annotations.Nullable;

/// Ends a connection of memcached whose request contains a length that the node does not take,
/// before a decoder sees it: where the next request begins is not known, or far away. What came
/// before is answered, and then a client of the text protocol is sent what was wrong
/// (CONNECTION-7). It reports complete requests too, some of which have no answer. The first byte
/// shows which of its protocols it is.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
final class FrameFilter extends ChannelInboundHandlerAdapter {
  private static final String UNREADABLE =
      "a request of memcached cannot be read, or is longer than --value-max";

  private final Limits limits;
  private final RareLog log;
  private Connection connection;
  private @Nullable FrameRule rule;
  private boolean hasRefused;

  @SuppressWarnings("NullAway") // The connection is set as soon as the handler is added.
  FrameFilter(Limits limits, RareLog log) {
    this.limits = limits;
    this.log = log;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    connection = Connection.of(ctx.channel());
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (hasRefused) { // TLS may have given more than one message of what was read.
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof ByteBuf bytes && bytes.isReadable()) {
      if (rule == null) {
        rule = rule(bytes.getUnsignedByte(bytes.readerIndex()));
      }
      ByteBuf at = bytes.duplicate();
      if (!rule.accept(at)) {
        refuse(ctx, bytes, at.readerIndex(), rule.fault());
        return;
      }
      if (rule.isBetween()) {
        connection.requested();
      }
    }
    ctx.fireChannelRead(message);
  }

  /// @param end of the requests before the one that is refused
  private void refuse(ChannelHandlerContext ctx, ByteBuf bytes, int end, String answer) {
    hasRefused = true;
    log.warn(UNREADABLE, Peer.address(ctx.channel()), "the connection was closed");
    if (end > bytes.readerIndex()) {
      connection.requested();
      ctx.fireChannelRead(bytes.readRetainedSlice(end - bytes.readerIndex()));
    }
    bytes.release();
    connection.endInput(() ->
        ctx.writeAndFlush(Unpooled.copiedBuffer(answer, US_ASCII))
            .addListener(_ -> connection.endOutput()));
  }

  private FrameRule rule(int first) {
    long valueBytesMax = limits.valueBytesMax();
    return first == MemcachedFrames.BINARY
        ? new MemcachedFrames.Binary(valueBytesMax)
        : new MemcachedFrames.Text(valueBytesMax);
  }
}
