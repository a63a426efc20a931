package io.varve.grid.guard.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.varve.grid.guard.connection.RefusedRequest;

/// Puts the parts of a request together, and reports why one that did not state its length is too
/// long.
final class WholeRequests extends HttpObjectAggregator {
  private final long bytesMax;
  private final RefusedRequest refused = new RefusedRequest();

  WholeRequests(long bytesMax) {
    super(Math.toIntExact(bytesMax));
    this.bytesMax = bytesMax;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    if (refused.isAnswered()) { // FILTER-1
      refused.drop(ctx, message);
      return;
    }
    super.channelRead(ctx, message);
  }

  @Override
  protected void handleOversizedMessage(ChannelHandlerContext ctx, HttpMessage oversized) {
    refused.answer(ctx, RequestFilter.tooLong(bytesMax), /* hasEnded= */ false);
  }
}
