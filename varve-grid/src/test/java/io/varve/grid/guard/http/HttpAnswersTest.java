package io.varve.grid.guard.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.connection.Limits;
import io.varve.grid.guard.connection.Occupancy;
import java.time.Duration;
import java.util.Set;
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
}
