package io.varve.grid.guard.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Replies of version 3 become those of version 2, however the bytes are cut.
class RespRepliesTest {
  private static final long SEED = Long.getLong("varve.seed", 1);

  private static String translated(ReplyShape shape, String reply, Random random) {
    var replies = new RespReplies();
    var channel = new EmbeddedChannel(replies);
    replies.expect(shape, List.of());
    ByteBuf bytes = Unpooled.copiedBuffer(reply, ISO_8859_1);
    while (bytes.isReadable()) {
      int length = random == null ? bytes.readableBytes() : 1 + random.nextInt(3);
      channel.writeOutbound(
          bytes.readBytes(Math.min(length, bytes.readableBytes()))); // a buffer of its own
    }
    StringBuilder all = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      all.append(part.toString(ISO_8859_1));
      assertThat(part.release()).isTrue();
    }
    bytes.release();
    assertThat(replies.expectsShape()).isFalse();
    return all.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SAME  | _~                             | $-1~",
        "SAME  | $3~_~~                         | $3~_~~",
        "SAME  | $0~~                           | $0~~",
        "SAME  | $-1~                           | $-1~",
        "SAME  | #t~                            | :1~",
        "SAME  | #f~                            | :0~",
        "SAME  | ,1.0~                          | $1~1~",
        "SAME  | ,-0.5~                         | $4~-0.5~",
        "SAME  | ,1.0E20~                       | $5~1e+20~",
        "SAME  | ,1.5E-7~                       | $6~1.5e-7~",
        "SAME  | ,inf~                          | $3~inf~",
        "SAME  | (12345678901234567890~         | $20~12345678901234567890~",
        "SAME  | ^0~                            | *0~",
        "SAME  | ^2~_~:1~                       | *2~$-1~:1~",
        "SAME  | %2~+a~^1~:1~+b~_~              | *4~+a~*1~:1~+b~$-1~",
        "LIST  | _~                             | *-1~",
        "LIST  | *1~_~                          | *1~$-1~",
        "ONE   | *0~                            | $-1~",
        "ONE   | *1~$1~a~                       | $1~a~",
        "WORD  | $4~PONG~                       | +PONG~",
        "PAIRS | *0~                            | *0~",
        "PAIRS | _~                             | $-1~",
        "PAIRS | *2~*2~$1~a~,1.0~*2~$1~b~,2.0~  | *4~$1~a~$1~1~$1~b~$1~2~",
        "PAIRS | *2~$1~a~$1~b~                  | *2~$1~a~$1~b~",
        "SAME  | *1~*2~$1~a~,1.0~               | *1~*2~$1~a~$1~1~",
      })
  void versionThreeBecomesVersionTwo(ReplyShape shape, String reply, String expected) {
    String from = reply.replace("~", "\r\n").replace("^", "~");
    String to = expected.replace("~", "\r\n");
    assertThat(translated(shape, from, null)).isEqualTo(to);
    for (int run = 0; run < 20; run++) {
      var random = new Random(SEED + run);
      assertThat(translated(shape, from, random)).as("seed=%d", SEED + run).isEqualTo(to);
    }
  }
}
