package io.varve.grid.guard.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.connection.Limits;
import io.varve.grid.guard.connection.Occupancy;
import io.varve.grid.guard.connection.RequestTurns;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Bodies of blobs between a connection and the thread that carries a request out.
@Timeout(60)
class BlobExchangeTest {
  private static final int PART_BYTES = 64 << 10;
  private static final Limits LIMITS =
      new Limits(
          Set.of(),
          1 << 20,
          10,
          10,
          0,
          Duration.ofMinutes(1),
          Duration.ZERO,
          Duration.ofMinutes(1));

  private int reads;
  private final Occupancy occupancy = new Occupancy(LIMITS);
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new Connection(occupancy, "peer"),
          new ChannelOutboundHandlerAdapter() {
            @Override
            public void read(ChannelHandlerContext ctx) {
              reads++;
              ctx.read();
            }
          },
          new RequestTurns(),
          new BlobExchange(Duration.ofMillis(50)),
          new CompressedBodies(1 << 20));

  private BlobExchange.Request begin(HttpMethod method) {
    channel.writeInbound(
        new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, "/rest/v2/varve/blobs/a/b"));
    return Objects.requireNonNull(channel.readInbound());
  }

  private static ByteBuf part(int value) {
    byte[] bytes = new byte[PART_BYTES];
    Arrays.fill(bytes, (byte) value);
    return Unpooled.copiedBuffer(bytes);
  }

  private void answer(HttpResponseStatus status) {
    channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status));
  }

  /// EXCHANGE-1: 64 MiB go through, of which 64 KiB wait. Decoders that saw no part of the body
  /// asked for more of it, and all of it was in memory.
  @Test
  void aBodyIsReadAsItIsTaken() throws Exception {
    InputStream body = begin(HttpMethod.PUT).body();
    for (int number = 0; number < 1_024; number++) {
      ByteBuf part = part(number);
      int before = reads;
      channel.writeInbound(new DefaultHttpContent(part));
      assertThat(channel.config().isAutoRead()).isFalse();
      assertThat(reads).isEqualTo(before);
      byte[] read = body.readNBytes(PART_BYTES);
      assertThat(read[PART_BYTES - 1]).isEqualTo((byte) number);
      assertThat(part.refCnt()).isZero();
      channel.runPendingTasks();
      assertThat(channel.config().isAutoRead()).isTrue();
      assertThat(reads).as("as many as were asked for").isEqualTo(before + 1);
    }
    channel.writeInbound(LastHttpContent.EMPTY_LAST_CONTENT);
    assertThat(body.read()).isEqualTo(-1);
    answer(HttpResponseStatus.CREATED);
    assertThat(channel.isOpen()).isTrue();
  }

  /// TURNS-4: two handlers have stopped the reading. The connection was never read again.
  @Test
  void aConnectionIsReadAfterARequestThatHasWaited() throws Exception {
    InputStream body = begin(HttpMethod.PUT).body();
    channel.writeInbound(
        new DefaultHttpContent(part(1)),
        LastHttpContent.EMPTY_LAST_CONTENT,
        new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/rest/v2/varve/blobs/a/b"),
        LastHttpContent.EMPTY_LAST_CONTENT);
    assertThat(body.readAllBytes()).hasSize(PART_BYTES);
    channel.runPendingTasks();
    int before = reads;
    answer(HttpResponseStatus.CREATED);
    channel.runPendingTasks();
    assertThat(reads).isGreaterThan(before);
  }

  /// BODY-2: nobody reads the body of a request that is refused when its client has gone.
  @Test
  void aBodyThatNobodyReadsIsReleasedWithItsConnection() {
    begin(HttpMethod.PUT);
    ByteBuf part = part(1);
    channel.writeInbound(new DefaultHttpContent(part), LastHttpContent.EMPTY_LAST_CONTENT);
    channel.close();
    assertThat(part.refCnt()).isZero();
  }

  @Test
  void aBodyIsCompressedIfAnyHeaderStatesIt() {
    var head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.PUT, "/rest/v2/varve/blobs");
    head.headers().add(HttpHeaderNames.CONTENT_ENCODING, "identity");
    head.headers().add(HttpHeaderNames.CONTENT_ENCODING, "gzip");
    channel.writeInbound(head);
    BlobExchange.Request request = Objects.requireNonNull(channel.readInbound());
    assertThat(request.isCompressed()).isTrue();
  }

  /// BODY-1, BODY-2
  @Test
  void aBodyOfWhichNoMoreComesFails() throws Exception {
    InputStream body = begin(HttpMethod.PUT).body();
    ByteBuf part = part(1);
    channel.writeInbound(new DefaultHttpContent(part));
    channel.close();
    assertThatThrownBy(body::read).isInstanceOf(IOException.class);
    assertThat(part.refCnt()).isZero();
  }

  /// PACE-1
  @Test
  void aClientThatSendsNothingIsTooSlow() {
    InputStream body = begin(HttpMethod.PUT).body();
    assertThatThrownBy(body::read).hasMessage("the client is too slow");
  }

  /// EXCHANGE-3
  @Test
  void whatComesAfterAnAnswerIsDropped() {
    begin(HttpMethod.PUT);
    ByteBuf before = part(1);
    channel.writeInbound(new DefaultHttpContent(before));
    answer(HttpResponseStatus.UNAUTHORIZED);
    HttpResponse refused = channel.readOutbound();
    assertThat(refused.headers().get(HttpHeaderNames.CONNECTION)).isEqualTo("close");
    channel.runPendingTasks();
    ByteBuf after = part(1);
    channel.writeInbound(new DefaultHttpContent(after));
    assertThat(before.refCnt() + after.refCnt()).isZero();
    assertThat(channel.isOpen()).isTrue();
    channel.writeInbound(new DefaultLastHttpContent());
    assertThat(channel.isOpen()).isFalse();
  }

  /// EXCHANGE-3: what is dropped is not held. The connection was closed before the client had read
  /// the answer.
  @Test
  void whatIsDroppedIsNotHeld() {
    var server =
        new EmbeddedChannel(
            new Connection(occupancy, "peer"),
            new HttpServerCodec(),
            new BlobExchange(Duration.ofMinutes(1)));
    String head = "PUT /rest/v2/varve/blobs/a/b HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n";
    server.writeInbound(Unpooled.copiedBuffer(head, US_ASCII));
    server.writeOutbound(
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.UNAUTHORIZED));
    ByteBuf some = Unpooled.directBuffer(1 << 24).writerIndex(1 << 24);
    for (long sent = 0; sent <= 2 * LIMITS.requestBytesMax(); sent += 1 << 24) {
      server.writeInbound(some.retainedDuplicate());
    }
    assertThat(server.isOpen()).isTrue();
  }

  /// EXCHANGE-4
  @Test
  void anAnswerIsSentAndItsSourceClosed() throws Exception {
    var isClosed = new AtomicBoolean();
    var source =
        new ByteArrayInputStream("hello".getBytes(US_ASCII)) {
          @Override
          public void close() {
            isClosed.set(true);
          }
        };
    BlobExchange.Request request = begin(HttpMethod.GET);
    channel.writeInbound(LastHttpContent.EMPTY_LAST_CONTENT);
    request.answers(5, source);
    channel.runPendingTasks();
    answer(HttpResponseStatus.OK);
    HttpResponse head = channel.readOutbound();
    assertThat(head.headers().get(HttpHeaderNames.CONTENT_LENGTH)).isEqualTo("5");
    HttpContent content = null;
    while (content == null) {
      channel.runPendingTasks();
      content = channel.readOutbound();
    }
    assertThat(content.content().toString(US_ASCII)).isEqualTo("hello");
    while (!isClosed.get()) {
      Thread.onSpinWait();
    }
  }

  /// A source is closed where the client has gone before the answer.
  @Test
  void theSourceOfAnAnswerToNobodyIsClosed() {
    var isClosed = new AtomicBoolean();
    BlobExchange.Request request = begin(HttpMethod.GET);
    channel.close();
    request.answers(
        5,
        new InputStream() {
          @Override
          public int read() {
            return -1;
          }

          @Override
          public void close() {
            isClosed.set(true);
          }
        });
    channel.runPendingTasks();
    assertThat(isClosed).isTrue();
  }
}
