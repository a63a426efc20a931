package io.varve.grid.guard;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/// Closes a connection of memcached whose request contains a length that the node does not take,
/// before a decoder sees it. It reports complete requests too, some of which have no answer. The
/// first byte shows which of its protocols it is.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
final class FrameFilter extends ChannelInboundHandlerAdapter {
  private final Limits limits;
  private final RareLog log;
  private Connection connection;
  private @Nullable FrameRule rule;

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
    if (message instanceof ByteBuf bytes && bytes.isReadable()) {
      if (rule == null) {
        rule = rule(bytes.getUnsignedByte(bytes.readerIndex()));
      }
      if (!rule.accept(bytes.duplicate())) {
        ReferenceCountUtil.release(message);
        log.warn(
            "a request is longer than --value-max",
            Peer.address(ctx.channel()),
            "the connection was closed");
        ctx.close();
        return;
      } else if (rule.isBetween()) {
        connection.requested();
      }
    }
    ctx.fireChannelRead(message);
  }

  private FrameRule rule(int first) {
    long valueBytesMax = limits.valueBytesMax();
    return first == MemcachedFrames.BINARY
        ? new MemcachedFrames.Binary(valueBytesMax)
        : new MemcachedFrames.Text(valueBytesMax);
  }
}
