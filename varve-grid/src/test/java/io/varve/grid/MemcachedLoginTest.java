package io.varve.grid;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// MEMCACHED-3: clients of memcached that have a name, and send requests together.
@Timeout(120)
class MemcachedLoginTest {
  private static final String REQUESTS =
      "set a 0 0 1\r\nx\r\nset b 0 0 1\r\ny\r\nset c 0 0 1\r\nz\r\nget c\r\n";
  private static final String ANSWERS = "STORED\r\nSTORED\r\nSTORED\r\nVALUE c 0 1\r\nz\r\nEND\r\n";

  @TempDir static Path data;

  private static Node node;

  @BeforeAll
  static void start() throws IOException {
    new Users(NodeDirectory.configuration(data)).set(LoggedIn.USER, LoggedIn.PASSWORD, Role.ADMIN);
    node = Serving.node(data, "--memcached-port", Serving.freePort());
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  @Test
  void requestsAfterALoginAreAnswered() throws Exception {
    for (int port : new int[] {node.port(), node.memcachedPort()}) {
      try (Socket socket = LoggedIn.memcached(port)) {
        assertThat(answers(socket, REQUESTS, ANSWERS)).isEqualTo(ANSWERS);
      }
    }
  }

  @Test
  void requestsTogetherWithALoginAreAnswered() throws Exception {
    String words = LoggedIn.USER + " " + LoggedIn.PASSWORD;
    String login = "set login 0 0 " + words.length() + "\r\n" + words + "\r\n";
    for (int port : new int[] {node.port(), node.memcachedPort()}) {
      try (Socket socket = new Socket(Clients.HOST, port)) {
        String all = "STORED\r\n" + ANSWERS;
        assertThat(answers(socket, login + REQUESTS, all)).isEqualTo(all);
      }
    }
  }

  /// MEMCACHED-8: after a login our decoder reads the requests.
  @Test
  void flagsHaveNoSignAfterALogin() throws Exception {
    String requests = "set f 4294967295 0 1\r\nx\r\nget f\r\n";
    String expected = "STORED\r\nVALUE f 4294967295 1\r\nx\r\nEND\r\n";
    for (int port : new int[] {node.port(), node.memcachedPort()}) {
      try (Socket socket = LoggedIn.memcached(port)) {
        assertThat(answers(socket, requests, expected)).isEqualTo(expected);
      }
    }
  }

  private static String answers(Socket socket, String requests, String expected)
      throws IOException {
    socket.setSoTimeout(10_000);
    socket.getOutputStream().write(requests.getBytes(US_ASCII));
    return new String(socket.getInputStream().readNBytes(expected.length()), US_ASCII);
  }
}
