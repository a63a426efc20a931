package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.resp.command.Channels.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.commons.util.concurrent.AggregateCompletionStage;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.SubscriberHandler;
import org.infinispan.server.resp.commands.pubsub.RespCacheListener;

/// Infinispan's command, with answers of ours (CHANNELS-2). A command is called as its class is.
public final class UNSUBSCRIBE extends org.infinispan.server.resp.commands.pubsub.UNSUBSCRIBE {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      SubscriberHandler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    Map<WrappedByteArray, RespCacheListener> subscribed = handler.specificChannelSubscribers();
    List<byte[]> channels =
        arguments.isEmpty()
            ? subscribed.keySet().stream().map(WrappedByteArray::getBytes).toList()
            : arguments;
    int patterns = ChannelPatterns.of(ctx.channel()).all().size();
    AggregateCompletionStage<Void> removed = CompletionStages.aggregateCompletionStage();
    List<Change> changes = new ArrayList<>();
    for (byte[] channel : channels) {
      RespCacheListener listener = subscribed.remove(new WrappedByteArray(channel));
      if (listener != null) {
        CompletionStage<Void> stage = handler.cache().removeListenerAsync(listener);
        removed.dependsOn(
            handler.handleStageListenerError(stage, channel, /* subscribeOrUnsubscribe= */ false));
      }
      changes.add(new Change(channel, subscribed.size() + patterns));
    }
    if (changes.isEmpty()) {
      changes.add(new Change(null, patterns));
    }
    return Channels.answer(handler, ctx, removed.freeze(), "unsubscribe", changes, () -> {});
  }
}
