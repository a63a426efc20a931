package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.SubscriberHandler;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// Infinispan's command, which adds a listener to the cache for each channel. Each of them looks at
/// all writes. A command is called as its class is.
///
/// (CHANNELS-1) A connection has at most [#CHANNELS_MAX] channels.
final class SUBSCRIBE extends org.infinispan.server.resp.commands.pubsub.SUBSCRIBE {
  private static final int CHANNELS_MAX = 1_024;

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    if (arguments.size() <= CHANNELS_MAX) {
      return super.perform(handler, ctx, arguments);
    }
    refuse(handler.writer());
    return handler.myStage(); // It is no subscriber.
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      SubscriberHandler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    Set<WrappedByteArray> channels = new HashSet<>(handler.specificChannelSubscribers().keySet());
    arguments.forEach(channel -> channels.add(new WrappedByteArray(channel)));
    if (channels.size() <= CHANNELS_MAX) {
      return super.perform(handler, ctx, arguments);
    }
    refuse(handler.writer());
    return handler.myStage();
  }

  private static void refuse(ResponseWriter writer) {
    writer.customError(
        "too many channels of a connection: max=" + CHANNELS_MAX + "; use several connections");
  }
}
