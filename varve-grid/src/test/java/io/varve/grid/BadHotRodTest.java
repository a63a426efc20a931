package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.node.Node;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// HOTROD-1: requests of Hot Rod that are too long, or none, leave nothing and end their
/// connection.
@Timeout(300)
class BadHotRodTest {
  /// HOTROD-2: what the client receives.
  private static final Pattern TOO_LONG =
      Pattern.compile(
          "the request is longer than this node takes: bytes=(\\d+), max=102400; that is"
              + " --value-max");

  @TempDir static Path data;

  private static Node node;

  @BeforeAll
  static void start() {
    node = Serving.node(data, "--durability", "BACKGROUND", "--value-max", "100 KiB");
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  /// The bytes of the value are lengths of values too, as the decoder would read them.
  @Test
  void aPutThatIsTooLongLeavesNoEntry() {
    try (var client = new RemoteCacheManager(Clients.hotRodConfiguration(node.port()).build())) {
      var cache = Clients.cache(client);
      for (int bytes : new int[] {101 << 10, 1 << 20}) {
        assertThatThrownBy(() -> cache.put("long" + bytes, "x".repeat(bytes)))
            .isInstanceOf(HotRodClientException.class)
            .matches(refused -> refused.toString().contains("(status=0x84)"), "status")
            .satisfies(refused -> {
              Matcher message = TOO_LONG.matcher(refused.getMessage());
              assertThat(message.lookingAt()).as(refused.getMessage()).isTrue();
              assertThat(Integer.parseInt(message.group(1))).isBetween(bytes, bytes + 100);
            });
        assertThat(cache.containsKey("long" + bytes)).isFalse();
      }
      cache.put("short", "x");
      assertThat(cache.size()).isEqualTo(1);
    }
  }

  /// HOTROD-6: a stream took memory until there was none, also for a user without any right.
  @Test
  void aStreamIsRefusedBeforeItTakesMemory() {
    try (var client = new RemoteCacheManager(Clients.hotRodConfiguration(node.port()).build())) {
      RemoteCache<String, String> cache = Clients.cache(client);
      cache.put("whole", "x");
      assertThatThrownBy(
              () -> {
                try (OutputStream stream = cache.streaming().put("streamed")) {
                  stream.write(new byte[200 << 10]);
                }
              })
          .hasStackTraceContaining("streams of Hot Rod are not taken");
      assertThatThrownBy(() -> cache.streaming().get("whole").read())
          .hasStackTraceContaining("streams of Hot Rod are not taken");
      assertThat(cache.containsKey("streamed")).isFalse();
      assertThat(cache.remove("whole", "x")).isTrue();
    }
  }

  /// No magic byte after a request, an operation and a version that there are not.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u00a0\u0001\u0029\u0017\0\0\u0003\0\0\0\0xxxxxxxxxxxxxxxx",
        "\u00a0\u0001\u0029\u006e\0\0\u0003\0\0\0\0\u00a0\u0002\u0029\u0017\0\0\u0003\0\0\0\0",
        "\u00a0\u0001\u0001\u0017\0\0\u0003\0\0\0\0\u00a0\u0002\u0029\u0017\0\0\u0003\0\0\0\0",
      })
  void aRequestThatCannotBeReadEndsTheConnection(String bytes) throws Exception {
    try (Socket socket = new Socket(Clients.HOST, node.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
      assertThat(answers(socket.getInputStream())).isLessThan(3);
    }
  }

  /// Counts the answers until the end of the connection.
  private static int answers(InputStream in) throws IOException {
    int answers = 0;
    try {
      for (int read = in.read(); read >= 0; read = in.read()) {
        answers += read == 0xA1 ? 1 : 0;
      }
    } catch (SocketException e) {
      // It has ended with bytes of ours that were not read.
    }
    return answers;
  }

  @Test
  void aCacheThatIsNotThereEndsNoConnection() throws Exception {
    String get = "\u00a0\u0001\u0029\u0003\u0006absent\0\u0003\0\0\0\0\u0001k";
    try (Socket socket = new Socket(Clients.HOST, node.port())) {
      socket.setSoTimeout(20_000);
      for (int request = 0; request < 2; request++) {
        socket.getOutputStream().write(get.getBytes(ISO_8859_1));
        assertThat(socket.getInputStream().read()).isEqualTo(0xA1);
        socket.getInputStream().skipNBytes(3);
        int length = socket.getInputStream().read(); // of the topology, none, and of the message
        assertThat(length).isGreaterThanOrEqualTo(0);
        socket.getInputStream().skipNBytes(socket.getInputStream().available());
      }
    }
  }
}
