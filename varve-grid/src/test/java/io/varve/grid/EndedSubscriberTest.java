package io.varve.grid;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.varve.grid.guard.resp.command.SUBSCRIBE;
import java.util.List;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.server.core.ServerManagement;
import org.infinispan.server.resp.RespServer;
import org.infinispan.server.resp.SubscriberHandler;
import org.infinispan.server.resp.serialization.bytebuf.ByteBufResponseWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A subscriber whose connection ends before its subscription is answered.
@Timeout(120)
class EndedSubscriberTest extends SharedNode {
  private static RespServer server() {
    return GlobalComponentRegistry.componentOf(node.caches(), ServerManagement.class)
        .getProtocolServers()
        .values()
        .stream()
        .filter(RespServer.class::isInstance)
        .map(RespServer.class::cast)
        .findFirst()
        .orElseThrow();
  }

  /// CHANNELS-5. It stayed a subscriber for good, as no event of the connection followed.
  @Test
  void itIsNoSubscriber() throws Exception {
    RespServer server = server();
    var connection = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    ChannelHandlerContext context = connection.pipeline().firstContext();
    assertThat(connection.finish()).as("something was written").isFalse();
    var handler = new SubscriberHandler(server, server.newHandler(server.getCache()));
    handler.writer(new ByteBufResponseWriter(Unpooled.buffer()::ensureWritable));
    var next = new SUBSCRIBE().perform(handler, context, List.of("ended".getBytes(US_ASCII)));
    assertThat(next.toCompletableFuture().get()).isSameAs(handler.resp3Handler());
    assertThat(handler.specificChannelSubscribers()).isEmpty();
    try (var redis = new RawResp(node.port())) {
      assertThat(redis.call("INFO", "clients")).contains("pubsub_clients:0 ");
      assertThat(redis.call("PUBSUB", "CHANNELS")).isEqualTo("*0 ");
    }
  }
}
