package io.varve.grid.guard.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.varve.grid.guard.connection.FrameRule;
import io.varve.grid.guard.resp.format.RespFrames;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Lengths are refused where they are said, however the bytes are cut.
class FrameRuleTest {
  private static final long VALUE_BYTES_MAX = 1_000;
  private static final long SEED = Long.getLong("varve.seed", 1);

  private static FrameRule rule(String frames) {
    return switch (frames.charAt(0)) {
      case '*' -> new RespFrames(VALUE_BYTES_MAX);
      case 0x80 -> new MemcachedFrames.Binary(VALUE_BYTES_MAX);
      default -> new MemcachedFrames.Text(VALUE_BYTES_MAX);
    };
  }

  /// Gives the frames in one piece, and in pieces of random lengths.
  private static boolean accepted(String frames) {
    ByteBuf whole = Unpooled.copiedBuffer(frames, ISO_8859_1);
    boolean accepted = rule(frames).accept(whole.duplicate());
    var random = new Random(SEED);
    for (int run = 0; run < 20; run++) {
      FrameRule rule = rule(frames);
      ByteBuf rest = whole.duplicate();
      boolean all = true;
      while (rest.isReadable() && all) {
        all = rule.accept(rest.readSlice(1 + random.nextInt(Math.min(5, rest.readableBytes()))));
      }
      assertThat(all).as("seed=%d", SEED).isEqualTo(accepted);
    }
    return accepted;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n*1\r\n$4\r\nPING\r\n",
        "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$13\r\n*2147483647\r\n\r\n*1\r\n$4\r\nPING\r\n",
        "*4\r\n$3\r\nSET\r\n$1\r\nk\r\n$4\r\n9999\r\n$1\r\nx\r\n",
        "*0\r\n*-1\r\n*1\r\n$0\r\n\r\n*1\r\n$4\r\nPING\r\n",
        "set k 0 0 4\r\nset \r\nget k\r\nincr k 4294967295\r\nmg k v\r\n",
        "cas k 0 0 1 99999999\r\nx\r\nverbosity 1\r\n",
      })
  void whatIsAllowedPasses(String frames) {
    assertThat(accepted(frames)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*2147483647\r\n",
        "*99999999999999999999\r\n",
        "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1001\r\n",
        "*1\r\n$2147483647\r\n",
        "*1\r\n+PING\r\n",
        "*2\r\n$3\r\nGET\r\n\r\n",
        "*1\n$4\r\nPING\r\n",
        "set k 0 0 4294967295\r\n",
        "set k 0 0 -1\r\n",
        "set k 0 0 1\r\nx\r\nadd k 0 0 1001 noreply\r\n",
        "ms k 1001\r\n",
      })
  void whatIsTooLongOrCannotBeReadIsRefused(String frames) {
    assertThat(accepted(frames)).isFalse();
  }

  @Test
  void headersOfMemcachedSayTheLength() {
    String ping = "\u0080\n" + "\0".repeat(22);
    String set = "\u0080\u0001" + "\0".repeat(6) + "\0\0\u0003\u00e8" + "\0".repeat(12);
    assertThat(accepted(ping + set + "x".repeat(1_000) + ping)).isTrue();
    assertThat(accepted(set.replace('\u00e8', '\u00e9'))).isFalse();
    assertThat(accepted("\u0080\u0001" + "\0".repeat(6) + "\u00ff".repeat(4) + "\0".repeat(12)))
        .isFalse();
  }

  @Test
  void aLineWithoutAnEndIsRefused() {
    assertThat(accepted("get " + "k".repeat(70_000))).isFalse();
    assertThat(accepted("*" + "1".repeat(70_000))).isFalse();
  }
}
