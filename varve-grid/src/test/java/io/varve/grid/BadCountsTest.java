package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// HOTROD-3, COUNTED-1: a count of elements takes no memory before they come, and a client that has
/// not logged in announces few.
@Timeout(300)
class BadCountsTest {
  private static final String GET = "\u00a0\u0001\u0029\u0003\0\0\u0003\0";
  private static final String FIFTY_MILLION = "\u0080\u00e1\u00eb\u0017";

  @TempDir static Path data;

  private static Node node;

  @BeforeAll
  static void start() throws Exception {
    new Users(NodeDirectory.configuration(data)).set(LoggedIn.USER, LoggedIn.PASSWORD, Role.ADMIN);
    node = Serving.node(data, "--durability", "BACKGROUND");
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  /// Parameters of a type, other parameters, keys, entries.
  @ParameterizedTest
  @ValueSource(
      strings = {
        GET + "\u0001\u0001" + FIFTY_MILLION + "\u0001a\u0001b",
        GET + "\0\0" + FIFTY_MILLION + "\u0001a\0\u0001b",
        GET + "\0\0\u0011\u0001a\0\u0001b",
        "\u00a0\u0001\u0029\u002f\0\0\u0003\0\0\0\0" + FIFTY_MILLION + "\u0001k",
        "\u00a0\u0001\u0029\u002d\0\0\u0003\0\0\0\0\u0077" + FIFTY_MILLION + "\u0001k\u0001v",
      })
  void aCountThatIsTooLargeEndsTheConnection(String request) throws Exception {
    try (Socket socket = new Socket(Clients.HOST, node.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
          .contains("more elements than this node takes");
    }
  }

  @Test
  void aClientThatLoggedInIsBoundedByTheBytesThatItMaySend() throws Exception {
    String keys = "\u00a0\u0001\u0029\u002f\u0007default\0\u0003\0\0\0\0";
    try (Socket socket = LoggedIn.hotRod(node.port())) {
      socket.getOutputStream().write((keys + "\u0014" + "\u0001k".repeat(20)).getBytes(ISO_8859_1));
      byte[] answer = new byte[1_000];
      int length = socket.getInputStream().read(answer);
      assertThat(new String(answer, 0, length, ISO_8859_1)).startsWith("\u00a1\u0001\u0030\0");
    }
    try (Socket socket = LoggedIn.hotRod(node.port())) {
      socket
          .getOutputStream()
          .write((keys + "\u0080\u0080\u0080\u0080\u0004" + "\u0001k").getBytes(ISO_8859_1));
      assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
          .contains("more elements than this node takes");
    }
  }

  @Test
  void anArrayOfRedisTakesMemoryAsItComes() throws Exception {
    List<RawResp> connections = new ArrayList<>();
    long before = usedBytes();
    for (int at = 0; at < 32; at++) {
      RawResp connection = new RawResp(node.port());
      connections.add(connection);
      connection.send("*1\r\n$4\r\nQUUX\r\n*1048576\r\n$4\r\nPING\r\n");
      connection.reply();
    }
    assertThat(usedBytes() - before).isLessThan(64L << 20);
    for (RawResp connection : connections) {
      connection.close();
    }
  }

  /// COUNTED-1: memory was taken for as many keys as a command states. The JVM has no array of so
  /// many.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "LMPOP 2147483647 k LEFT",
        "SINTERCARD 2147483647 k",
        "ZDIFF 2147483647 k",
        "ZDIFFSTORE d 2147483647 k",
        "ZINTER 2147483647 k",
        "ZINTERCARD 2147483647 k",
        "ZINTERSTORE d 2147483647 k",
        "ZMPOP 2147483647 k MIN",
        "ZUNION 2147483647 k",
        "ZUNIONSTORE d 2147483647 k"
      })
  void aNumberOfKeysTakesNoMemory(String call) throws Exception {
    try (Socket socket = LoggedIn.resp(node.port())) {
      socket.getOutputStream().write((call + "\r\n").getBytes(ISO_8859_1));
      byte[] answer = new byte[1_000];
      int length = socket.getInputStream().read(answer);
      assertThat(new String(answer, 0, length, ISO_8859_1)).isEqualTo("-ERR syntax error\r\n");
    }
  }

  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
