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
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// HOTROD-3, COUNTED-1 to COUNTED-3, BOUND-2: a count of elements takes no memory before they come,
/// and a client that has not logged in announces few. No event loop goes through very many keys.
@Timeout(300)
class BadCountsTest {
  private static final String GET = "\u00a0\u0001\u0029\u0003\0\0\u0003\0";
  private static final String SYNTAX = "syntax error";
  private static final String TOO_FEW_KEYS = "Number of keys can't be greater than number of args";
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
      assertThat(new String(answer, 0, length, ISO_8859_1))
          .isEqualTo("-ERR " + (call.startsWith("SINTERCARD") ? TOO_FEW_KEYS : SYNTAX) + "\r\n");
    }
  }

  /// COUNTED-2: 200,000 absent keys took an event loop for seconds.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "LMPOP # LEFT",
        "SINTERCARD #",
        "ZDIFF #",
        "ZDIFFSTORE d #",
        "ZINTER #",
        "ZINTERCARD #",
        "ZINTERSTORE d #",
        "ZMPOP # MIN",
        "ZUNION #",
        "ZUNIONSTORE d #"
      })
  void aCommandNamesABoundedNumberOfKeys(String call) throws Exception {
    try (var redis = new RawResp(LoggedIn.resp(node.port()))) {
      assertThat(redis.call(call.replace("#", "1024" + " k".repeat(1_024)).split(" ")))
          .isIn("*-1 ", "*0 ", ":0 ");
      assertThat(redis.call(call.replace("#", "1025" + " k".repeat(1_025)).split(" ")))
          .isEqualTo("-ERR ");
    }
  }

  /// COUNTED-3: a set that is named 50 times was gone through as often, which took seconds.
  @Test
  void sortedSetsThatAreCombinedHaveABoundedNumberOfMembers() throws Exception {
    try (var redis = new RawResp(LoggedIn.resp(node.port()))) {
      StringBuilder add = new StringBuilder("ZADD z");
      for (int member = 0; member < 20_000; member++) {
        add.append(" 1 m").append(member);
      }
      redis.call(add.toString().split(" "));
      assertThat(redis.call(("ZINTERCARD 52" + " z".repeat(52)).split(" "))).isEqualTo(":20000 ");
      assertThat(redis.call(("ZINTERCARD 53" + " z".repeat(53)).split(" "))).isEqualTo("-ERR ");
      assertThat(redis.call(("ZUNIONSTORE d 53" + " z".repeat(53)).split(" "))).isEqualTo("-ERR ");
    }
  }

  /// BOUND-2: empty elements added nothing to the length of an entry, and took all memory.
  @Test
  void anEntryHasABoundedNumberOfElements() throws Exception {
    try (var redis = new RawResp(LoggedIn.resp(node.port()))) {
      String[] half = new String[2 + (1 << 19)];
      Arrays.fill(half, "");
      half[0] = "RPUSH";
      half[1] = "l";
      assertThat(redis.call(half)).isEqualTo(":524288 ");
      assertThat(redis.call(half)).isEqualTo(":1048576 ");
      assertThat(redis.call("LPUSH", "l", "")).isEqualTo("-ERR ");
      redis.call("RPUSH", "other", "a");
      assertThat(redis.call("RPOPLPUSH", "other", "l")).isEqualTo("-ERR ");
      assertThat(redis.call("BLMOVE", "other", "l", "LEFT", "LEFT", "1")).isEqualTo("-ERR ");
      assertThat(redis.call("LPOP", "l")).isEqualTo("$0  ");
      assertThat(redis.call("RPOPLPUSH", "other", "l")).isEqualTo("$1 a ");
    }
  }

  /// REPLY-5, REPLY-8
  @Test
  void aReplyTakesABoundedNumberOfReads() throws Exception {
    try (var redis = new RawResp(LoggedIn.resp(node.port()))) {
      redis.call("SADD", "s", "1");
      assertThat(redis.call("SRANDMEMBER", "s", "-131073")).isEqualTo("-ERR ");
      assertThat(redis.call("SRANDMEMBER", "s", "-3")).isEqualTo("*3 $1 1 $1 1 $1 1 ");
      String[] push = new String[2 + 70_000];
      Arrays.fill(push, "1");
      push[0] = "RPUSH";
      redis.call(push);
      assertThat(redis.call("SORT", "1", "BY", "w_*", "GET", "*")).isEqualTo("-ERR ");
      assertThat(redis.call("SORT", "1", "BY", "w_*", "GET", "absent*", "LIMIT", "0", "1"))
          .isEqualTo("*1 $-1 ");
    }
  }

  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
