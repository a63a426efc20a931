package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Bytes that no client sends, at all ports of a node: frames of the four protocols with some bytes
/// changed, and noise. A node without users takes them as from clients that it knows. One with
/// users takes them before it knows anybody, and from clients that have logged in.
/// `-Dvarve.fuzz.millis=3600000 -Dvarve.seed=7` continues for an hour.
@Tag("slow")
@Timeout(value = 24, unit = TimeUnit.HOURS)
class HostileBytesTest {
  private static final long SEED = Long.getLong("varve.seed", 1);
  private static final long MILLIS = Long.getLong("varve.fuzz.millis", 3_000);
  private static final int BYTES_PER_SECOND_MAX = 1 << 20;

  /// A minute of junk at that rate may write less than a MiB, according to the guide. A start
  /// writes less than the rest.
  private static final long LOG_BYTES_PER_SECOND = (1 << 20) / 60;

  private static final long LOG_BYTES_OF_START = 256 << 10;

  private static final String[] FRAMES = {
    "*3\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$4\r\nAUTH\r\n",
    "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n",
    "*4\r\n$8\r\nSETRANGE\r\n$1\r\nk\r\n$10\r\n2147483640\r\n$1\r\nx\r\n",
    "*2147483647\r\n$3\r\nGET\r\n",
    "SET k \"v \\x00\"\r\nHELLO 3\r\nZRANGE z 0 -1 WITHSCORES\r\nHELLO 2\r\n",
    "MULTI\r\nGET k\r\nHELLO\r\nEXEC\r\nRESET\r\n",
    "*5\r\n$4\r\nZADD\r\n$1\r\nz\r\n$2\r\nXX\r\n$1\r\n1\r\n$1\r\nm\r\n",
    "set k 0 0 4294967295\r\nx\r\n",
    "set k 0 0 1\r\nx\r\nget k\r\nincr k 1\r\n",
    "\u0080\u0001\0\u0001\u0008\0\0\0\0\0\0\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0kv",
    "\u00a0\u0001\u0029\u0001\u0007default\0\u0003\0\u0001k\u0001v",
    "\u00a0\u0002\u0029\u001f\0\0\u0003\0",
    "\u00a0\u0003\u0029\u0023\0\0\u0003\0\u0005PLAIN\u0007\0a\0b\0c",
    "GET /rest/v2/caches/default/k HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "POST /rest/v2/caches/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n<a",
    "PUT /rest/v2/caches/default/k HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
        + "\r\nfffffff\r\n",
    "PUT /rest/v2/varve/items/s/@long:7 HTTP/1.1\r\nHost: localhost\r\n"
        + "Content-Type: application/json\r\nContent-Length: 29\r\n\r\n"
        + "{\"a\":[{\"b\":1},{\"@long:2\":3}]}",
    "PATCH /rest/v2/varve/items/s/%40a/x%2Fy HTTP/1.1\r\nHost: localhost\r\n"
        + "Content-Type: application/merge-patch+json\r\nContent-Length: 13\r\n\r\n"
        + "{\"b\":{\"c\":7}}",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0",
  };

  /// The kind of sender.
  private enum Sender {
    ANYBODY_OF_NO_USERS,
    NOBODY_YET,
    A_CLIENT_THAT_CAME_IN
  }

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void theNodeContinuesAndItsLogStaysSmall(Sender sender) throws Exception {
    Path data = directory.resolve("node");
    boolean users = sender != Sender.ANYBODY_OF_NO_USERS;
    if (users) {
      new Users(NodeDirectory.configuration(data))
          .set(LoggedIn.USER, LoggedIn.PASSWORD, Role.ADMIN);
    }
    int resp = Integer.parseInt(Serving.freePort());
    int memcached = Integer.parseInt(Serving.freePort());
    try (ServeProcess node =
        ServeProcess.start(data, "--resp-port", "" + resp, "--memcached-port", "" + memcached)) {
      var ports = new int[] {node.port(), resp, memcached};
      long sent =
          sender == Sender.A_CLIENT_THAT_CAME_IN
              ? send(new Visitors(ports)::send)
              : send((bytes, random) -> connectAndSend(ports, bytes, random));
      long logged = Files.size(data.resolveSibling("serve.log"));
      System.out.printf(
          "hostile bytes: seed=%d, sender=%s, sent=%d, millis=%d, logged=%d%n",
          SEED, sender, sent, MILLIS, logged);
      assertThat(node.process().isAlive()).isTrue();
      assertThat(Files.readString(data.resolveSibling("serve.log")))
          .contains("varve: try Redis: redis-cli -h 127.0.0.1 -p " + node.port());
      assertThat(logged).isLessThan(LOG_BYTES_OF_START + LOG_BYTES_PER_SECOND * MILLIS / 1_000);
      var http = new RawHttp(node.port());
      assertThat(http.send("GET /rest/v2/container/health/status", "", "Host: localhost").status())
          .isEqualTo(200);
      var uri = RedisURI.builder().withHost(Clients.HOST).withPort(resp);
      if (users) {
        uri.withAuthentication(LoggedIn.USER, LoggedIn.PASSWORD.toCharArray());
      }
      try (RedisClient redis = RedisClient.create(uri.build());
          var connection = redis.connect()) {
        connection.sync().set("alive", "yes");
        assertThat(connection.sync().get("alive")).isEqualTo("yes");
      }
    }
  }

  private interface Send {
    void send(byte[] bytes, Random random) throws IOException;
  }

  /// Sends for a while, at no more than the rate; gives the number of bytes.
  private static long send(Send sending) {
    var random = new Random(SEED);
    long startNanos = System.nanoTime();
    long sent = 0;
    while (true) {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
      if (millis >= MILLIS) {
        return sent;
      }
      if (sent * 1_000 > BYTES_PER_SECOND_MAX * (millis + 1)) {
        Thread.onSpinWait();
        continue;
      }
      byte[] bytes = bytes(random);
      sent += bytes.length;
      try {
        sending.send(bytes, random);
      } catch (IOException e) {
        // The node has closed the connection, as it may.
      }
    }
  }

  private static void connectAndSend(int[] ports, byte[] bytes, Random random) throws IOException {
    try (Socket socket = new Socket(Clients.HOST, ports[random.nextInt(ports.length)])) {
      socket.getOutputStream().write(bytes);
      read(socket);
    }
  }

  /// Clients that the node has let in, one of each protocol, which come again when they are sent
  /// away.
  private static final class Visitors {
    private final int[] ports;
    private final Map<Integer, Socket> connections = new HashMap<>();
    private int logins;

    Visitors(int[] ports) {
      this.ports = ports;
    }

    void send(byte[] bytes, Random random) throws IOException {
      int kind = random.nextInt(4);
      if (kind == 3) { // Of HTTP each request names its sender.
        String text =
            new String(bytes, ISO_8859_1)
                .replace(
                    "Host: localhost",
                    "Host: localhost\r\nAuthorization: " + LoggedIn.authorization());
        connectAndSend(new int[] {ports[0]}, text.getBytes(ISO_8859_1), random);
        return;
      }
      Socket socket = connections.get(kind);
      try {
        if (socket == null) {
          socket =
              switch (kind) {
                case 0 -> LoggedIn.resp(ports[random.nextInt(2)]);
                case 1 -> LoggedIn.memcached(ports[2]);
                default -> LoggedIn.hotRod(ports[0]);
              };
          logins++;
          connections.put(kind, socket);
        }
        socket.getOutputStream().write(bytes);
        if (!read(socket)) {
          throw new IOException("the node has closed the connection");
        }
      } catch (IOException e) {
        if (socket != null) {
          socket.close();
        } else {
          throw new IllegalStateException("no login, of kind " + kind + " after " + logins, e);
        }
        connections.remove(kind);
      }
    }
  }

  /// Whether the connection is still there.
  private static boolean read(Socket socket) throws IOException {
    socket.setSoTimeout(5);
    try {
      byte[] answers = new byte[1 << 16];
      return socket.getInputStream().read(answers) >= 0;
    } catch (SocketTimeoutException e) {
      return true; // It waits for the rest.
    }
  }

  private static byte[] bytes(Random random) {
    if (random.nextInt(8) == 0) {
      return operation(random);
    }
    if (random.nextInt(4) == 0) {
      byte[] noise = new byte[1 + random.nextInt(32 << 10)];
      random.nextBytes(noise);
      return noise;
    }
    StringBuilder frames = new StringBuilder();
    String frame = FRAMES[random.nextInt(FRAMES.length)];
    int count = 1 + random.nextInt(300);
    for (int at = 0; at < count; at++) {
      frames.append(random.nextInt(8) == 0 ? FRAMES[random.nextInt(FRAMES.length)] : frame);
    }
    byte[] bytes = frames.toString().getBytes(ISO_8859_1);
    for (int change = random.nextInt(4); change > 0; change--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  /// A request of Hot Rod whose header can be read: of any operation, with small numbers after it.
  private static byte[] operation(Random random) {
    byte[] header = "\u00a0\u0001\u0029\0\u0007default\0\u0001\0\0\0\0".getBytes(ISO_8859_1);
    header[3] = (byte) (2 * random.nextInt(64) + 1);
    byte[] request = Arrays.copyOf(header, header.length + random.nextInt(64));
    for (int at = header.length; at < request.length; at++) {
      request[at] = (byte) random.nextInt(random.nextInt(4) == 0 ? 256 : 8);
    }
    return request;
  }
}
