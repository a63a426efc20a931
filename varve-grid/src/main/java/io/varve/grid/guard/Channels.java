package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.SubscriberHandler;
import org.infinispan.server.resp.commands.pubsub.RespCacheListener;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// The channels that clients of RESP subscribe to, and what subscribers are answered of them.
///
/// (CHANNELS-2) Each channel of a request is answered by the number of channels that the connection
/// has then, one that is named twice once. Infinispan counts words. A connection that has no
/// channel left is no subscriber, and may call any command again.
final class Channels {
  private static final byte PUSH = '>';

  private Channels() {}

  /// What a channel is answered, or that there was none.
  record Change(byte @Nullable [] channel, int count) {}

  /// The number of subscriptions at this node by their channels, as at Redis in a cluster.
  static Map<WrappedByteArray, Long> subscribed(Resp3Handler handler) {
    ComponentRegistry cache =
        CacheParts.of(handler.respServer().getCacheManager(), handler.cache().getName());
    if (cache == null) {
      return Map.of(); // It does not run.
    }
    Collection<?> listeners = cache.getCacheNotifier().running().getListeners();
    return listeners.stream()
        .filter(RespCacheListener.class::isInstance)
        .map(listener -> ((RespCacheListener) listener).subscribedChannel())
        .filter(channel -> channel != null)
        .collect(Collectors.groupingBy(WrappedByteArray::new, Collectors.counting()));
  }

  /// Answers a subscriber when what it asked for is done.
  ///
  /// @param word what was done
  static CompletionStage<RespRequestHandler> answer(
      SubscriberHandler handler,
      ChannelHandlerContext ctx,
      CompletionStage<Void> done,
      String word,
      List<Change> changes) {
    return handler.stageToReturn(
        done,
        ctx,
        _ -> {
          ResponseWriter writer = handler.writer();
          for (Change change : changes) {
            writer.writeNumericPrefix(PUSH, 3); // At version 2 it becomes an array (REPLIES-1).
            writer.string(word);
            if (change.channel() == null) {
              writer.nulls();
            } else {
              writer.string(change.channel());
            }
            writer.integers(change.count());
          }
          return handler.specificChannelSubscribers().isEmpty() ? handler.resp3Handler() : handler;
        });
  }
}
