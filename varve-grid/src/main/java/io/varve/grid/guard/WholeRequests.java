package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.util.ReferenceCountUtil;

/// Puts the parts of a request together, and reports why one that did not state its length is too
/// long.
final class WholeRequests extends HttpObjectAggregator {
  private final long bytesMax;
  private boolean refused;

  WholeRequests(long bytesMax) {
    super(Math.toIntExact(bytesMax));
    this.bytesMax = bytesMax;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    if (refused) { // FILTER-1
      ReferenceCountUtil.release(message);
      return;
    }
    super.channelRead(ctx, message);
  }

  @Override
  protected void handleOversizedMessage(ChannelHandlerContext ctx, HttpMessage oversized) {
    refused = true;
    RequestFilter.answer(ctx, RequestFilter.tooLong(bytesMax));
  }
}
