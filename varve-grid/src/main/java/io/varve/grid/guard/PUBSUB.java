package io.varve.grid.guard;

import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.server.resp.Resp3Handler;
import org.infinispan.server.resp.RespRequestHandler;
import org.infinispan.server.resp.commands.pubsub.RespCacheListener;
import org.infinispan.server.resp.serialization.ResponseWriter;

/// Infinispan's command, which lacks `NUMSUB`: how many clients subscribe to each of some channels.
/// As at Redis in a cluster, those of this node are counted. A command is called as its class is.
final class PUBSUB extends org.infinispan.server.resp.commands.pubsub.PUBSUB {
  @Override
  public CompletionStage<RespRequestHandler> perform(
      Resp3Handler handler, ChannelHandlerContext ctx, List<byte[]> arguments) {
    String word = new String(arguments.getFirst(), StandardCharsets.US_ASCII);
    if (!word.equalsIgnoreCase("NUMSUB")) {
      return super.perform(handler, ctx, arguments);
    }
    Map<WrappedByteArray, Long> subscribed = subscribed(handler);
    ResponseWriter writer = handler.writer();
    List<byte[]> channels = arguments.subList(1, arguments.size());
    writer.arrayStart(2 * channels.size());
    for (byte[] channel : channels) {
      writer.arrayNext();
      writer.string(channel);
      writer.arrayNext();
      writer.integers(subscribed.getOrDefault(new WrappedByteArray(channel), 0L));
    }
    writer.arrayEnd();
    return handler.myStage();
  }

  /// The number of subscriptions of this node by their channels.
  private static Map<WrappedByteArray, Long> subscribed(Resp3Handler handler) {
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
}
