package io.varve.grid.guard.resp.command;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AttributeKey;
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
import org.infinispan.server.resp.RespServer;
import org.infinispan.server.resp.SubscriberHandler;
import org.infinispan.server.resp.meta.ClientMetadata;
import org.infinispan.server.resp.serialization.ResponseWriter;
import org.jspecify.annotations.Nullable;

/// The channels that clients of RESP subscribe to, and what subscribers are answered of them.
///
/// (CHANNELS-2) Each channel or pattern of a request is answered by the number of both that the
/// connection has then. One that is named twice counts once. Infinispan counts words. A connection
/// that has none left is no subscriber, and may call any command again.
///
/// (CHANNELS-4) `INFO` counts the connections that have a channel or a pattern. Infinispan counts
/// channels.
///
/// (CHANNELS-5) A connection that ends while other nodes are asked for its messages is no
/// subscriber: its listeners end, as no event of the connection follows that would end them.
public final class Channels {
  private static final byte PUSH = '>';

  private static final AttributeKey<Boolean> SUBSCRIBES =
      AttributeKey.valueOf(Channels.class, "subscribes");

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

  /// Ends all subscriptions of a connection. Called by its event loop alone, and may be repeated.
  public static void end(RespServer server, Channel connection) {
    ChannelPatterns.of(connection).set(List.of());
    count(server, connection, /* subscribes= */ false);
  }

  /// Whether a connection has a channel or a pattern. Other threads may be answered what was.
  public static boolean subscribes(Channel connection) {
    return Boolean.TRUE.equals(connection.attr(SUBSCRIBES).get());
  }

  /// CHANNELS-4
  private static void count(RespServer server, Channel connection, boolean subscribes) {
    boolean counted = subscribes(connection);
    if (counted == subscribes) {
      return;
    }
    connection.attr(SUBSCRIBES).set(subscribes);
    ClientMetadata clients = server.metadataRepository().client();
    if (subscribes) {
      clients.incrementPubSubClients();
    } else {
      clients.decrementPubSubClients();
    }
  }

  /// Answers a subscriber when what it asked for is done.
  ///
  /// @param word what was done
  /// @param begin has the messages come that follow the answer (CHANNELS-3)
  static CompletionStage<RespRequestHandler> answer(
      SubscriberHandler handler,
      ChannelHandlerContext ctx,
      CompletionStage<Void> done,
      String word,
      List<Change> changes,
      Runnable begin) {
    return handler.stageToReturn(
        done,
        ctx,
        _ -> {
          if (!ctx.channel().isActive()) { // CHANNELS-5
            handler.removeAllListeners();
            end(handler.respServer(), ctx.channel());
            return handler.resp3Handler();
          }
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
          begin.run();
          boolean subscribes =
              !handler.specificChannelSubscribers().isEmpty()
                  || !ChannelPatterns.of(ctx.channel()).all().isEmpty();
          count(handler.respServer(), ctx.channel(), subscribes);
          return subscribes ? handler : handler.resp3Handler();
        });
  }
}
