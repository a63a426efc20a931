package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.resp.command.Channels.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.SubscriberHandler;
import org.infinispan.server.resp.commands.Resp3Command;

/// Infinispan's command, which answers that it is not implemented. A command is called as its class
/// is.
public final class PUNSUBSCRIBE extends org.infinispan.server.resp.commands.pubsub.PUNSUBSCRIBE
    implements Resp3Command {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    return new SubscriberHandler(handler.respServer(), handler).handleRequest(ctx, this, arguments);
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      SubscriberHandler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    ChannelPatterns subscribed = ChannelPatterns.of(ctx.channel());
    Set<WrappedByteArray> patterns = subscribed.copy();
    int channels = handler.specificChannelSubscribers().size();
    List<Change> changes = new ArrayList<>();
    for (byte[] pattern : arguments.isEmpty() ? subscribed.all() : arguments) {
      patterns.remove(new WrappedByteArray(pattern));
      changes.add(new Change(pattern, channels + patterns.size()));
    }
    if (changes.isEmpty()) {
      changes.add(new Change(null, channels));
    }
    subscribed.set(patterns.stream().map(WrappedByteArray::getBytes).toList());
    return Channels.answer(
        handler, ctx, CompletableFuture.completedFuture(null), "punsubscribe", changes, () -> {});
  }
}
