package io.varve.grid.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;

/// What follows a body that is not whole, or cannot be read. A failure that comes through to the
/// last handler is logged there with the trace of a stack, for each request that a client sends.
class CompressedBodiesTest {
  private static final int BYTES_MAX = 1 << 20;

  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new CompressedBodies(BYTES_MAX), new WholeRequests(BYTES_MAX), new EndedBodies());

  private void begin(CharSequence header, Object value) {
    var request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.PUT, "/");
    request.headers().set(header, value);
    channel.writeInbound(request);
  }

  /// COMPRESSED-1
  @Test
  void aRefusedBodyIsAnsweredAndFailsNothing() {
    begin(HttpHeaderNames.CONTENT_ENCODING, "gzip");
    channel.writeInbound(
        new DefaultLastHttpContent(Unpooled.copiedBuffer("not compressed at all", US_ASCII)));
    FullHttpResponse answer = channel.readOutbound();
    assertThat(answer.status()).isEqualTo(HttpResponseStatus.BAD_REQUEST);
    answer.release();
    assertThat(channel.isOpen()).isFalse();
    channel.finishAndReleaseAll(); // It throws what has come through.
  }

  @Test
  void aClientThatEndsWithinItsRequestFailsNothing() {
    begin(HttpHeaderNames.CONTENT_LENGTH, 9);
    channel.writeInbound(new DefaultHttpContent(Unpooled.copiedBuffer("part", US_ASCII)));
    channel.close();
    channel.finishAndReleaseAll();
  }
}
