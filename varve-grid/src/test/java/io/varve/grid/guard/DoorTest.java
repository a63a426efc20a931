package io.varve.grid.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.DefaultChannelId;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.varve.grid.guard.connection.Answers;
import io.varve.grid.guard.connection.Connection;
import io.varve.grid.guard.connection.Limits;
import io.varve.grid.guard.connection.Occupancy;
import io.varve.grid.guard.connection.RareLines;
import io.varve.grid.guard.http.HeldBodies;
import io.varve.grid.guard.resp.RespRequests;
import io.varve.grid.guard.resp.format.RespArrays;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The door and its connections, without a network.
class DoorTest {
  private static final int MIB = 1 << 20;
  private static final Limits LIMITS =
      new Limits(
          Set.of(), MIB, 10, 5, 0, Duration.ofSeconds(30), Duration.ofSeconds(1), Duration.ZERO);

  private final Occupancy occupancy = new Occupancy(LIMITS);

  private EmbeddedChannel connection() {
    return new EmbeddedChannel(new Connection(occupancy, "peer"), new Answers());
  }

  /// A request of some size, of which one byte is in memory.
  private static ByteBuf mebibytes(int count) {
    byte[] mebibyte = new byte[MIB];
    return Unpooled.wrappedBuffer(
        count,
        Collections.nCopies(count, Unpooled.wrappedBuffer(mebibyte)).stream()
            .map(ByteBuf::retainedDuplicate)
            .toArray(ByteBuf[]::new));
  }

  /// DOOR-1
  @Test
  void aClosedDoorLetsNobodyIn() {
    assertThat(new Door(LIMITS).enter(new EmbeddedChannel())).isFalse();
  }

  /// DOOR-2, CONNECTION-2
  @Test
  void connectionsTogetherHoldNoMoreThanTheyMay() {
    int halfMebibytes = Math.toIntExact(LIMITS.requestBytesMax() / MIB / 2);
    EmbeddedChannel first = connection();
    first.writeInbound(mebibytes(halfMebibytes));
    EmbeddedChannel second = connection();
    second.writeInbound(mebibytes(halfMebibytes));
    EmbeddedChannel third = connection();
    third.writeInbound(mebibytes(2)); // 64 KiB of each do not count
    assertThat(first.isOpen() && second.isOpen()).isTrue();
    assertThat(third.isOpen()).isFalse();

    second.writeOutbound("an answer");
    EmbeddedChannel fourth = connection();
    fourth.writeInbound(mebibytes(1));
    assertThat(fourth.isOpen()).isTrue();
    first.close();
    fourth.writeInbound(mebibytes(halfMebibytes));
    assertThat(fourth.isOpen()).isTrue();
  }

  /// RESPREQUEST-4: no answer follows, which would free them.
  @Test
  void bytesThatAskForNothingAreNotHeld() {
    EmbeddedChannel idle =
        new EmbeddedChannel(
            new Connection(occupancy, "peer"),
            new RespRequests(MIB, new RespArrays(null), occupancy.log()));
    byte[] nothing = "*0\r\n\r\n*-1\r\n \n".repeat(5_000).getBytes(US_ASCII);
    for (int time = 0; time < 20; time++) {
      idle.writeInbound(Unpooled.copiedBuffer(nothing, 0, 1)); // of a line that comes in two parts
      idle.writeInbound(Unpooled.copiedBuffer(nothing, 1, nothing.length - 1));
    }
    EmbeddedChannel other = connection();
    other.writeInbound(mebibytes(Math.toIntExact(LIMITS.requestBytesMax() / MIB)));
    assertThat(idle.isOpen() && other.isOpen()).isTrue();
  }

  /// However much is held: small requests need none of it.
  @Test
  void smallRequestsAlwaysPass() {
    connection().writeInbound(mebibytes(Math.toIntExact(LIMITS.requestBytesMax() / MIB)));
    EmbeddedChannel small = connection();
    small.writeInbound(Unpooled.wrappedBuffer(new byte[64 << 10]));
    assertThat(small.isOpen()).isTrue();
  }

  /// CONNECTION-2
  @Test
  void bodiesOfHttpCountAsTheyAreInMemory() {
    int mebibytes = Math.toIntExact(LIMITS.requestBytesMax() / MIB);
    EmbeddedChannel connection = connection();
    connection.pipeline().get(Connection.class).hasStreams();
    List<EmbeddedChannel> streams = List.of(stream(connection), stream(connection));
    for (EmbeddedChannel stream : streams) {
      stream.writeInbound(new DefaultHttpContent(mebibytes(mebibytes / 2)));
      connection.pipeline().context(Connection.class).flush();
      assertThat(connection.isOpen()).isTrue();
    }
    EmbeddedChannel refused = connection();
    stream(refused).writeInbound(new DefaultHttpContent(mebibytes(2)));
    assertThat(refused.isOpen()).isFalse();

    streams
        .getFirst()
        .writeOutbound(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    streams.getLast().close();
    EmbeddedChannel taken = connection();
    stream(taken).writeInbound(new DefaultHttpContent(mebibytes(mebibytes)));
    assertThat(taken.isOpen()).isTrue();
  }

  /// CONNECTION-4
  @Test
  void aSubscriberHoldsNoMoreThanItMay() {
    EmbeddedChannel subscriber = connection();
    Connection connection = subscriber.pipeline().get(Connection.class);
    assertThat(connection.push(40 * MIB)).isTrue(); // one may be longer
    connection.pushed(40 * MIB);
    assertThat(connection.push(20 * MIB)).isTrue();
    assertThat(connection.push(12 * MIB)).isTrue();
    assertThat(connection.push(1)).isFalse();
    assertThat(subscriber.isOpen()).isFalse();
  }

  private static EmbeddedChannel stream(EmbeddedChannel connection) {
    return new EmbeddedChannel(
        connection, DefaultChannelId.newInstance(), true, false, new HeldBodies());
  }

  /// CONNECTION-3
  @Test
  void whatIsSentBeforeARequestIsNoAnswer() {
    EmbeddedChannel connection = connection();
    connection
        .pipeline()
        .addAfter(
            connection.pipeline().context(Connection.class).name(),
            "handshake",
            new ChannelOutboundHandlerAdapter());
    connection.pipeline().context("handshake").writeAndFlush("hello");
    connection.advanceTimeBy(31, TimeUnit.SECONDS);
    connection.runScheduledPendingTasks();
    assertThat(connection.isOpen()).isFalse();
  }

  /// CONNECTION-3
  @Test
  void aCompleteRequestTakesAsLongAsItDoes() {
    EmbeddedChannel asked = connection();
    asked.pipeline().get(Connection.class).requested();
    EmbeddedChannel uploaded = connection();
    uploaded.pipeline().get(Connection.class).hasStreams();
    EmbeddedChannel stream = stream(uploaded);
    stream.writeInbound(new DefaultHttpContent(mebibytes(1)), LastHttpContent.EMPTY_LAST_CONTENT);
    for (EmbeddedChannel connection : new EmbeddedChannel[] {asked, uploaded}) {
      pass(connection, 31);
      pass(connection, 3600);
      assertThat(connection.isOpen()).isTrue();
    }
  }

  /// CONNECTION-3
  @Test
  void aRequestThatComesHasMoreTime() {
    EmbeddedChannel upload = connection();
    for (int period = 0; period < 3; period++) {
      upload.writeInbound(Unpooled.wrappedBuffer(new byte[128 << 10]));
      pass(upload, 30);
      assertThat(upload.isOpen()).isTrue();
    }
    upload.writeInbound(Unpooled.wrappedBuffer(new byte[100 << 10])); // 3.3 KiB a second
    pass(upload, 30);
    assertThat(upload.isOpen()).isFalse();
  }

  private static void pass(EmbeddedChannel connection, int seconds) {
    connection.advanceTimeBy(seconds, TimeUnit.SECONDS);
    connection.runScheduledPendingTasks();
  }

  /// CONNECTION-1
  @Test
  void nothingIsReadAfterARequestIsRefused() {
    int[] reads = {0};
    EmbeddedChannel connection = connection();
    connection
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext ctx, Object message) {
                reads[0]++;
                ReferenceCountUtil.release(message);
                ctx.channel().close();
                ctx.pipeline().fireChannelRead(Unpooled.wrappedBuffer(new byte[1]));
              }
            });
    connection.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
    assertThat(reads[0]).isEqualTo(1);
  }

  @Test
  void aConnectionThatIsNeverAnsweredEnds() {
    EmbeddedChannel silent = connection();
    EmbeddedChannel slow = connection();
    slow.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
    EmbeddedChannel answered = connection();
    answered.writeOutbound("an answer");
    for (EmbeddedChannel connection : new EmbeddedChannel[] {silent, slow, answered}) {
      connection.advanceTimeBy(31, TimeUnit.SECONDS);
      connection.runScheduledPendingTasks();
    }
    assertThat(silent.isOpen()).isFalse();
    assertThat(slow.isOpen()).isFalse();
    assertThat(answered.isOpen()).isTrue();
  }

  @Test
  void aLogHasFewLinesOfAKind() {
    var lines = new RareLines(TimeUnit.SECONDS.toNanos(10), 3);
    long written = 0;
    for (int at = 0; at < 1_000_000; at++) {
      long leftOut = lines.admit("same", TimeUnit.MICROSECONDS.toNanos(60L * at));
      written += leftOut < 0 ? 0 : 1;
    }
    assertThat(written).isEqualTo(3 * 6);
    assertThat(lines.admit("same", TimeUnit.SECONDS.toNanos(70))).isEqualTo(166_662);
    long kinds = 0;
    for (int at = 0; at < 10_000; at++) {
      kinds += lines.admit("kind " + at, TimeUnit.SECONDS.toNanos(70)) < 0 ? 0 : 1;
    }
    assertThat(kinds).isLessThanOrEqualTo(20);
  }

  /// What was taken for a client that waited found no connection after a reset, and was lost.
  @Test
  void aConnectionIsFoundAfterItsEnd() {
    EmbeddedChannel channel = connection();
    Connection connection = Connection.of(channel);
    channel.close();
    channel.runPendingTasks();
    assertThat(channel.pipeline().get(Connection.class)).isNull();
    assertThat(Connection.of(channel)).isSameAs(connection);
  }
}
