package io.varve.grid.guard.http;

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
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.varve.grid.guard.connection.RefusedRequest;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What follows a body that is not whole, or cannot be read. A failure that comes through to the
/// last handler is logged there with the trace of a stack, for each request that a client sends.
class CompressedBodiesTest {
  private static final int BYTES_MAX = 1 << 20;

  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new CompressedBodies(BYTES_MAX), new WholeRequests(BYTES_MAX), new EndedBodies());

  CompressedBodiesTest() {
    channel.freezeTime(); // On a busy machine, a refused body was read for no longer by its end.
  }

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

  /// REFUSED-1. The connection ended with the answer, which a client that still sent did not get.
  @ParameterizedTest
  @ValueSource(strings = {"br", "gzip"})
  void aRefusedBodyIsReadToItsEnd(String format) {
    begin(HttpHeaderNames.CONTENT_ENCODING, format);
    channel.writeInbound(part());
    FullHttpResponse answer = channel.readOutbound();
    assertThat(answer.status().code()).isBetween(400, 415);
    answer.release();
    channel.writeInbound(part());
    assertThat(channel.isOpen()).as("while the client sends").isTrue();
    channel.writeInbound(new DefaultLastHttpContent());
    assertThat(channel.isOpen()).as("after the request").isFalse();
    channel.finishAndReleaseAll();
  }

  /// REFUSED-1
  @Test
  void aRefusedBodyIsReadForAShortTime() {
    begin(HttpHeaderNames.CONTENT_ENCODING, "br");
    channel.writeInbound(part());
    channel.releaseOutbound();
    channel.advanceTimeBy(RefusedRequest.LISTEN_MILLIS, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertThat(channel.isOpen()).isFalse();
    channel.finishAndReleaseAll();
  }

  private static DefaultHttpContent part() {
    return new DefaultHttpContent(Unpooled.copiedBuffer("not compressed at all", US_ASCII));
  }

  @Test
  void aClientThatEndsWithinItsRequestFailsNothing() {
    begin(HttpHeaderNames.CONTENT_LENGTH, 9);
    channel.writeInbound(new DefaultHttpContent(Unpooled.copiedBuffer("part", US_ASCII)));
    channel.close();
    channel.finishAndReleaseAll();
  }

  /// The log had the trace of a stack for each such request.
  @Test
  void aStreamOfAnotherLengthFailsNothing() {
    channel
        .pipeline()
        .fireExceptionCaught(
            Http2Exception.streamError(1, Http2Error.PROTOCOL_ERROR, "not the content-length"));
    channel.checkException();
  }
}
