package io.varve.grid.guard.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/// Closes a connection that begins as HTTP does, on the port of memcached alone. A web page may
/// send any body to any port; the lines of one would be taken for commands of memcached.
@SuppressWarnings("FutureReturnValueIgnored") // Netty notifies the pipeline of a failure.
public final class NoHttp extends ChannelInboundHandlerAdapter {
  /// Commands of memcached are in lower case.
  private static final Set<String> METHODS =
      Set.of("GE", "PO", "PU", "HE", "OP", "DE", "PA", "CO", "TR");

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ctx.pipeline().remove(this);
    if (message instanceof ByteBuf bytes
        && bytes.readableBytes() >= 2
        && METHODS.contains(bytes.toString(bytes.readerIndex(), 2, StandardCharsets.ISO_8859_1))) {
      ReferenceCountUtil.release(message);
      ctx.close();
      return;
    }
    ctx.fireChannelRead(message);
  }
}
