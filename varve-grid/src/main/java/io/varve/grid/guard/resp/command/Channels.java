package io.varve.grid.guard.resp.command;

import io.netty.channel.ChannelHandlerContext;
import io.varve.grid.guard.connection.CacheParts;
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
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// The channels that clients of RESP subscribe to, and what subscribers are answered of them.
///
/// (CHANNELS-2) Each channel or pattern of a request is answered by the number of both that the
/// connection has then. One that is named twice counts once. Infinispan counts words. A connection
/// that has none left is no subscriber, and may call any command again.
final class Channels {
  private static final byte PUSH = '>';

  private Channels() {}

  /// What a channel or pattern is answered, or that there was none.
  record Change(byte @Nullable [] channel, int count) {}

  /// What listens for messages at this node. Others are counted where they are, as at Redis in a
  /// cluster.
  static List<ChannelListener> listeners(Resp3Handler handler) {
    ComponentRegistry cache =
        CacheParts.of(handler.respServer().getCacheManager(), handler.cache().getName());
    if (cache == null) {
      return List.of(); // It does not run.
    }
    Collection<?> listeners = cache.getCacheNotifier().running().getListeners();
    return listeners.stream()
        .filter(ChannelListener.class::isInstance)
        .map(ChannelListener.class::cast)
        .toList();
  }

  /// The number of subscriptions at this node by their channels.
  static Map<WrappedByteArray, Long> subscribed(Resp3Handler handler) {
    return listeners(handler).stream()
        .map(ChannelListener::subscribedChannel)
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
          return handler.specificChannelSubscribers().isEmpty()
                  && ChannelPatterns.of(ctx.channel()).all().isEmpty()
              ? handler.resp3Handler()
              : handler;
        });
  }
}
