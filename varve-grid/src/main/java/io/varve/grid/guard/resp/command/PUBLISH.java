package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.pubsub.KeyChannelUtils;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// Infinispan's command, which answers 0 in any case. As at Redis in a cluster, subscribers of this
/// node are counted, and those of others get the message too. A command is called as its class is.
public final class PUBLISH extends org.infinispan.server.resp.commands.pubsub.PUBLISH {
  private static final long MESSAGE_SECONDS = 3; // A message is an entry, as Infinispan has it.

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    byte[] channel = arguments.getFirst();
    long count =
        Channels.listeners(handler).stream()
            .mapToLong(listener -> listener.timesReceived(channel))
            .sum();
    CompletionStage<Long> published =
        handler
            .ignorePreviousValuesCache()
            .putAsync(
                KeyChannelUtils.keyToChannel(channel),
                arguments.get(1),
                MESSAGE_SECONDS,
                TimeUnit.SECONDS)
            .thenApply(_ -> count);
    return handler.stageToReturn(published, ctx, ResponseWriter.INTEGER);
  }
}
