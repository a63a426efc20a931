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
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Bytes that no client sends, at all ports of a node: frames of the four protocols with some bytes
/// changed, and noise. A node without users takes them as from clients that it knows, and one with
/// users before it knows anybody. `-Dvarve.fuzz.millis=3600000 -Dvarve.seed=7` continues for an
/// hour.
@Tag("slow")
@Timeout(value = 24, unit = TimeUnit.HOURS)
class HostileBytesTest {
  private static final long SEED = Long.getLong("varve.seed", 1);
  private static final long MILLIS = Long.getLong("varve.fuzz.millis", 3_000);
  private static final int BYTES_PER_SECOND_MAX = 1 << 20;

  /// A minute of junk at that rate may write less than a MiB, as the guide says. A start writes
  /// less than the rest.
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
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0",
  };

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theNodeContinuesAndItsLogStaysSmall(boolean users) throws Exception {
    Path data = directory.resolve("node");
    if (users) {
      new Users(NodeDirectory.configuration(data)).set("alice", "secret", Role.ADMIN);
    }
    int resp = Integer.parseInt(Serving.freePort());
    int memcached = Integer.parseInt(Serving.freePort());
    try (ServeProcess node =
        ServeProcess.start(data, "--resp-port", "" + resp, "--memcached-port", "" + memcached)) {
      long sent = send(new int[] {node.port(), resp, memcached});
      long logged = Files.size(data.resolveSibling("serve.log"));
      System.out.printf(
          "hostile bytes: seed=%d, users=%s, sent=%d, millis=%d, logged=%d%n",
          SEED, users, sent, MILLIS, logged);
      assertThat(node.process().isAlive()).isTrue();
      assertThat(Files.readString(data.resolveSibling("serve.log")))
          .contains("varve: try Redis: redis-cli -h 127.0.0.1 -p " + node.port());
      assertThat(logged).isLessThan(LOG_BYTES_OF_START + LOG_BYTES_PER_SECOND * MILLIS / 1_000);
      var http = new RawHttp(node.port());
      assertThat(http.send("GET /rest/v2/container/health/status", "", "Host: localhost").status())
          .isEqualTo(200);
      var uri = RedisURI.builder().withHost(Clients.HOST).withPort(resp);
      if (users) {
        uri.withAuthentication("alice", "secret".toCharArray());
      }
      try (RedisClient redis = RedisClient.create(uri.build());
          var connection = redis.connect()) {
        connection.sync().set("alive", "yes");
        assertThat(connection.sync().get("alive")).isEqualTo("yes");
      }
    }
  }

  /// Sends for a while, at no more than the rate; gives the number of bytes.
  private static long send(int[] ports) {
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
      try (Socket socket = new Socket(Clients.HOST, ports[random.nextInt(ports.length)])) {
        socket.setSoTimeout(5);
        socket.getOutputStream().write(bytes);
        sent += bytes.length;
        read(socket);
      } catch (IOException e) {
        sent += bytes.length; // The node has closed it, as it may.
      }
    }
  }

  private static void read(Socket socket) throws IOException {
    try {
      int first = socket.getInputStream().read();
      assertThat(first).isGreaterThanOrEqualTo(-1);
    } catch (SocketTimeoutException e) {
      // It waits for the rest.
    }
  }

  private static byte[] bytes(Random random) {
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
}
