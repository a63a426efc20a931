package io.varve.grid.guard.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.connection.Limits;
import io.varve.grid.guard.connection.Occupancy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// CONNECTION-5, of HTTP.
class HttpAnswersTest {
  private static final int ANSWER_BYTES = 1 << 20;
  private static final Limits LIMITS =
      new Limits(
          Set.of(),
          ANSWER_BYTES,
          10,
          10,
          0,
          Duration.ofSeconds(30),
          Duration.ofSeconds(1),
          Duration.ZERO);

  private final EmbeddedChannel connection =
      new EmbeddedChannel(new Connection(new Occupancy(LIMITS), "peer"), new HttpAnswers());
  private final ByteBuf content = Unpooled.wrappedBuffer(new byte[ANSWER_BYTES]);

  private void answer() {
    connection.write(
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.OK, content.retainedDuplicate()));
  }

  @Test
  void answersThatAreNotTakenEndTheirConnection() {
    long answersMax = LIMITS.replyBytesMax() / ANSWER_BYTES;
    for (long answer = 0; answer < answersMax; answer++) {
      answer();
    }
    assertThat(connection.isOpen()).isTrue();
    answer();
    assertThat(connection.isOpen()).isFalse();
    assertThat(content.refCnt()).isEqualTo(1);
  }

  @Test
  void answersThatAreTakenDoNotCount() {
    long answersMax = LIMITS.replyBytesMax() / ANSWER_BYTES;
    for (long answer = 0; answer < 3 * answersMax; answer++) {
      answer();
      connection.flush();
      connection.<DefaultFullHttpResponse>readOutbound().release();
    }
    assertThat(connection.isOpen()).isTrue();
  }

  /// ANSWERS-1. It was done by the thread that had written the answer.
  @Test
  void whatFollowsAnAnswerIsDoneByTheEventLoop() {
    var threads = new DefaultEventExecutor();
    var followers = new ConcurrentLinkedQueue<Thread>();
    var written =
        new ChannelOutboundHandlerAdapter() {
          @Override
          public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            promise.addListener(_ -> followers.add(Thread.currentThread()));
            promise.setSuccess();
          }
        };
    var channel = new EmbeddedChannel(written, new HttpAnswers());
    channel.pipeline().addLast(threads, new ChannelInboundHandlerAdapter());
    try {
      ChannelFuture answered =
          channel.pipeline().lastContext().write(LastHttpContent.EMPTY_LAST_CONTENT);
      assertThat(answered.isSuccess()).isTrue();
      assertThat(followers).containsExactly(Thread.currentThread());
    } finally {
      threads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }
}
