package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.resp.command.Channels.Change;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.commons.util.concurrent.AggregateCompletionStage;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.SubscriberHandler;
import org.infinispan.server.resp.commands.pubsub.KeyChannelUtils;
import org.infinispan.server.resp.commands.pubsub.RespCacheListener;
import org.infinispan.server.resp.filter.EventListenerKeysFilter;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// Infinispan's command, which adds a listener to the cache for each channel. Each of them looks at
/// all writes. A command is called as its class is.
///
/// (CHANNELS-6) A request whose listeners cannot all be added has none of them, and its channels
/// are not those of the connection. Infinispan left each in the map of the subscriber, so that the
/// same request was then answered, and brought no message.
///
/// (CHANNELS-1) A connection has at most [#CHANNELS_MAX] channels of [#BYTES_MAX] together, which
/// are kept until it ends. (CHANNELS-2) is [Channels]'.
@SuppressWarnings("FutureReturnValueIgnored") // no thread waits for the end of a listener
public final class SUBSCRIBE extends org.infinispan.server.resp.commands.pubsub.SUBSCRIBE {
  private static final int CHANNELS_MAX = 1_024;

  private static final int BYTES_MAX = 256 << 10;

  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    if (fits(arguments.stream().map(WrappedByteArray::new).toList())) {
      return super.perform(handler, ctx, arguments);
    }
    refuse(handler.writer());
    return handler.myStage(); // It is no subscriber.
  }

  @Override
  public CompletionStage<RespRequestHandler> perform(
      SubscriberHandler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    Map<WrappedByteArray, RespCacheListener> subscribed = handler.specificChannelSubscribers();
    Set<WrappedByteArray> channels = new HashSet<>(subscribed.keySet());
    arguments.forEach(channel -> channels.add(new WrappedByteArray(channel)));
    if (!fits(channels)) {
      refuse(handler.writer());
      return handler.myStage();
    }
    int patterns = ChannelPatterns.of(ctx.channel()).all().size();
    AggregateCompletionStage<Void> added = CompletionStages.aggregateCompletionStage();
    List<Change> changes = new ArrayList<>();
    Map<WrappedByteArray, ChannelListener> begun = new HashMap<>();
    for (byte[] channel : arguments) {
      WrappedByteArray key = new WrappedByteArray(channel);
      if (!subscribed.containsKey(key)) {
        var listener = new ChannelListener(ctx.channel(), channel);
        subscribed.put(key, listener);
        begun.put(key, listener);
        CompletionStage<Void> stage = add(handler.cache(), listener, channel);
        added.dependsOn(
            handler.handleStageListenerError(stage, channel, /* subscribeOrUnsubscribe= */ true));
      }
      changes.add(new Change(channel, subscribed.size() + patterns));
    }
    return Channels.answer(
        handler,
        ctx,
        wholly(added.freeze(), handler, ctx, begun),
        "subscribe",
        changes,
        () -> begun.values().forEach(ChannelListener::answered));
  }

  /// CHANNELS-6
  private static CompletionStage<Void> wholly(
      CompletionStage<Void> added,
      SubscriberHandler handler,
      ChannelHandlerContext ctx,
      Map<WrappedByteArray, ChannelListener> begun) {
    if (CompletionStages.isCompletedSuccessfully(added)) {
      return added;
    }
    return added.whenCompleteAsync(
        (_, failure) -> {
          if (failure != null) {
            handler.specificChannelSubscribers().keySet().removeAll(begun.keySet());
            begun.values().forEach(handler.cache()::removeListenerAsync);
          }
        },
        ctx.channel().eventLoop());
  }

  private static CompletionStage<Void> add(
      AdvancedCache<byte[], byte[]> cache, ChannelListener listener, byte[] channel) {
    try {
      return ChannelListener.values(cache)
          .addListenerAsync(
              listener, new EventListenerKeysFilter(KeyChannelUtils.keyToChannel(channel)), null);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// CHANNELS-1
  private static boolean fits(Collection<WrappedByteArray> channels) {
    return channels.size() <= CHANNELS_MAX
        && channels.stream().mapToLong(channel -> channel.getBytes().length).sum() <= BYTES_MAX;
  }

  private static void refuse(ResponseWriter writer) {
    writer.customError(
        "too many channels of a connection: max="
            + CHANNELS_MAX
            + ", bytes together="
            + BYTES_MAX
            + "; use several connections");
  }
}
