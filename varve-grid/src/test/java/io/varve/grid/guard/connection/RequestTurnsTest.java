package io.varve.grid.guard.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.varve.grid.guard.http.CompressedBodies;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// The order of requests that a client sends without waiting for answers.
class RequestTurnsTest {
  private final EmbeddedChannel connection = new EmbeddedChannel(new RequestTurns());

  private static FullHttpRequest request(HttpMethod method, String uri) {
    return new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, method, uri);
  }

  private static Object answer(HttpResponseStatus status) {
    return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status);
  }

  /// The address of the request that was passed on, or an empty text.
  private String passed() {
    Object read = connection.readInbound();
    return read instanceof HttpRequest request ? request.uri() : "";
  }

  /// TURNS-1, TURNS-2
  @Test
  void aRequestWaitsForTheAnswerToTheOneBefore() {
    connection.writeInbound(
        request(HttpMethod.PUT, "/1"),
        request(HttpMethod.GET, "/2"),
        request(HttpMethod.GET, "/3"));
    for (String uri : new String[] {"/1", "/2", "/3"}) {
      assertThat(passed()).isEqualTo(uri);
      assertThat(passed()).isEmpty();
      assertThat(connection.config().isAutoRead()).isEqualTo(uri.equals("/3"));
      connection.writeOutbound(answer(HttpResponseStatus.CONTINUE));
      assertThat(passed()).isEmpty();
      connection.writeOutbound(answer(HttpResponseStatus.OK));
      connection.runPendingTasks();
    }
  }

  /// TURNS-2. All that a client sent meantime was in memory, up to the bound of all connections.
  @Test
  void nothingIsReadWhileARequestWaits() {
    var reads = new AtomicInteger();
    var pipeline =
        new EmbeddedChannel(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void read(ChannelHandlerContext ctx) {
                reads.incrementAndGet();
                ctx.read();
              }
            },
            new RequestTurns(),
            new CompressedBodies(1 << 20));
    pipeline.writeInbound(request(HttpMethod.GET, "/1"));
    int before = reads.get();
    for (int sent = 2; sent < 10; sent++) {
      pipeline.writeInbound(request(HttpMethod.GET, "/" + sent));
    }
    assertThat(reads).hasValue(before);
  }

  /// TURNS-1. A client that read nothing had an answer kept for each of its requests.
  @Test
  void aRequestWaitsUntilTheAnswerIsTaken() {
    connection.writeInbound(request(HttpMethod.GET, "/1"), request(HttpMethod.GET, "/2"));
    assertThat(passed()).isEqualTo("/1");
    connection.write(answer(HttpResponseStatus.OK));
    connection.runPendingTasks();
    assertThat(passed()).isEmpty();
    connection.flush();
    connection.runPendingTasks();
    assertThat(passed()).isEqualTo("/2");
  }

  /// TURNS-3. The next request waited without an end.
  @Test
  void anAnswerThatCannotBeWrittenEndsTheConnection() {
    connection
        .pipeline()
        .addFirst(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
                ReferenceCountUtil.release(message);
                promise.setFailure(new IllegalStateException("not encoded"));
              }
            });
    connection.writeInbound(request(HttpMethod.GET, "/1"), request(HttpMethod.GET, "/2"));
    assertThat(passed()).isEqualTo("/1");
    connection.write(answer(HttpResponseStatus.OK));
    connection.runPendingTasks();
    assertThat(passed()).isEmpty();
    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void anAnswerOfPartsEndsWithItsLast() {
    connection.writeInbound(request(HttpMethod.GET, "/1"), request(HttpMethod.GET, "/2"));
    assertThat(passed()).isEqualTo("/1");
    connection.writeOutbound(
        new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK),
        new DefaultHttpContent(Unpooled.EMPTY_BUFFER));
    connection.runPendingTasks();
    assertThat(passed()).isEmpty();
    connection.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
    connection.runPendingTasks();
    assertThat(passed()).isEqualTo("/2");
  }

  /// Infinispan writes no end of an answer without content.
  @Test
  void anAnswerToHeadIsItsHeaders() {
    connection.writeInbound(request(HttpMethod.HEAD, "/1"), request(HttpMethod.GET, "/2"));
    assertThat(passed()).isEqualTo("/1");
    connection.writeOutbound(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    connection.runPendingTasks();
    assertThat(passed()).isEqualTo("/2");
  }

  @Test
  void theContentOfARequestFollowsIt() {
    connection.writeInbound(
        new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.PUT, "/1"),
        new DefaultHttpContent(Unpooled.EMPTY_BUFFER),
        LastHttpContent.EMPTY_LAST_CONTENT,
        request(HttpMethod.GET, "/2"));
    assertThat(connection.inboundMessages()).hasSize(3);
  }

  @Test
  void whatWaitsIsReleasedWithTheConnection() {
    FullHttpRequest second = request(HttpMethod.GET, "/2");
    connection.writeInbound(request(HttpMethod.GET, "/1"), second);
    connection.close();
    assertThat(second.refCnt()).isZero();
  }
}
