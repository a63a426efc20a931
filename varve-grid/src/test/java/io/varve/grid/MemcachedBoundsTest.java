package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
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
  private static final int HEADER_BYTES = 24;

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

  @ParameterizedTest
  @ValueSource(bytes = {0x0E, 0x0F})
  void aBinaryValueGrowsByOneRequestAtMost(byte operation) throws Exception {
    for (int port : new int[] {node.port(), node.memcachedPort()}) {
      try (Socket socket = connect(port)) {
        assertThat(binary(socket, (byte) 0x01, 8, PART)).isZero();
        for (int at = 0; at < 3; at++) {
          assertThat(binary(socket, operation, 0, PART)).isZero();
        }
        assertThat(binary(socket, operation, 0, "y")).isNotZero();
      }
    }
  }

  /// Sends a request, gives the status of the answer.
  private static int binary(Socket socket, byte operation, int extraBytes, String value)
      throws IOException {
    int bodyBytes = extraBytes + 1 + value.length();
    ByteBuffer request = ByteBuffer.allocate(HEADER_BYTES + bodyBytes);
    request.put((byte) 0x80).put(operation).putShort((short) 1).put((byte) extraBytes);
    request.position(8).putInt(bodyBytes).position(HEADER_BYTES + extraBytes).put((byte) 'b');
    request.put(value.getBytes(ISO_8859_1));
    socket.getOutputStream().write(request.array());
    var in = new DataInputStream(socket.getInputStream());
    ByteBuffer answer = ByteBuffer.wrap(in.readNBytes(HEADER_BYTES));
    in.skipNBytes(answer.getInt(8));
    return answer.getShort(6);
  }
}
