package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// BOUND-1: values of memcached do not grow beyond `--value-max` by requests that are shorter.
@Timeout(300)
class MemcachedBoundsTest {
  private static final String PART = "x".repeat(6_000);

  @TempDir static Path data;

  private static Node node;

  @BeforeAll
  static void start() {
    node =
        Serving.node(
            data,
            "--durability",
            "BACKGROUND",
            "--value-max",
            "20 KiB",
            "--memcached-port",
            Serving.freePort());
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket(Clients.HOST, port);
    socket.setSoTimeout(20_000);
    return socket;
  }

  @ParameterizedTest
  @ValueSource(strings = {"append", "prepend"})
  void aTextDoesNotGrowBeyondTheBound(String command) throws Exception {
    for (int port : new int[] {node.port(), node.memcachedPort()}) {
      try (Socket socket = connect(port)) {
        assertThat(text(socket, "set", PART)).isEqualTo("STORED");
        assertThat(text(socket, command, PART)).isEqualTo("STORED");
        assertThat(text(socket, command, PART)).isEqualTo("STORED");
        assertThat(text(socket, command, PART)).startsWith("SERVER_ERROR");
        assertThat(text(socket, command, "y")).isEqualTo("STORED");
      }
    }
  }

  private static String text(Socket socket, String command, String value) throws IOException {
    String request = command + " k 0 0 " + value.length() + "\r\n" + value + "\r\n";
    socket.getOutputStream().write(request.getBytes(ISO_8859_1));
    StringBuilder line = new StringBuilder();
    for (int letter = socket.getInputStream().read();
        letter >= 0 && letter != '\n';
        letter = socket.getInputStream().read()) {
      line.append((char) letter);
    }
    return line.toString().strip();
  }

  /// BOUND-1, MEMCACHED-1
  @ParameterizedTest
  @ValueSource(ints = {BinaryMemcached.APPEND, BinaryMemcached.PREPEND})
  void aBinaryValueDoesNotGrowBeyondTheBound(int operation) throws Exception {
    for (int port : new int[] {node.port(), node.memcachedPort()}) {
      try (var memcached = new BinaryMemcached(port)) {
        byte[] flags = BinaryMemcached.NO_FLAGS;
        assertThat(memcached.call(BinaryMemcached.SET, flags, "b", PART).status()).isZero();
        for (int at = 0; at < 2; at++) {
          assertThat(append(memcached, operation, PART)).isZero();
        }
        assertThat(append(memcached, operation, PART)).as("too large").isEqualTo(3);
        assertThat(append(memcached, operation, "y")).isZero();
      }
    }
  }

  private static int append(BinaryMemcached memcached, int operation, String value)
      throws IOException {
    return memcached.call(operation, BinaryMemcached.NOTHING, "b", value).status();
  }
}
