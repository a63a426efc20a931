package io.varve.grid.guard.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.http2.Http2Exception.StreamException;

/// Takes what is no failure of the node, but the end of a body that was not whole. The last handler
/// logs each failure with the trace of a stack, and a client can cause one by each request.
///
/// A client that ends its connection within a request is none: nothing was carried out, and there
/// is nobody to answer. Nor is a body that [CompressedBodies] has refused, whose decoder fails
/// again where the connection ends. Nor is a stream of HTTP/2 whose body has another length than it
/// states.
final class EndedBodies extends ChannelInboundHandlerAdapter {
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof PrematureChannelClosureException)
        && !(cause instanceof DecompressionException)
        && !(cause instanceof StreamException)) {
      ctx.fireExceptionCaught(cause);
    }
  }
}
