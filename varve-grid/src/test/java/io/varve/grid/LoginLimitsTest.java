package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a node does about clients that guess passwords, and about users that change while they are
/// connected: by each protocol.
@Timeout(120)
class LoginLimitsTest {
  private static final String PASSWORD = "secret";
  private static final String GUESS = "a-guess";
  private static final int FAILED_MAX = 6;

  @TempDir static Path directory;

  private static ServeProcess node;
  private static Users users;
  private static SSLSocketFactory sockets;

  @BeforeAll
  static void start() throws Exception {
    Path data = directory.resolve("node");
    Path configuration = NodeDirectory.configuration(data);
    users = new Users(configuration);
    for (String name : List.of("alice", "bob", "carol")) {
      users.set(name, PASSWORD, Role.ADMIN);
    }
    node =
        ServeProcess.start(
            data,
            "--tls",
            "--durability",
            "BACKGROUND",
            "--failed-logins",
            Integer.toString(FAILED_MAX));
    sockets = Clients.trusting(configuration.resolve("self-made.pem")).getSocketFactory();
    for (String name : List.of("alice", "bob", "carol")) { // Names that are known (LOGIN-4).
      for (Connection connection : all(name, PASSWORD)) {
        connection.socket.close();
      }
    }
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /// @param answer to its login
  private record Connection(Socket socket, String answer) {
    static Connection of(byte[] login) throws IOException {
      Socket socket = sockets.createSocket(Clients.HOST, node.port());
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(login);
      return new Connection(socket, answer(socket));
    }

    private static String answer(Socket socket) throws IOException {
      byte[] answer = new byte[20_000];
      int length = socket.getInputStream().read(answer);
      return new String(answer, 0, Math.max(0, length), ISO_8859_1);
    }

    String call(byte[] request) throws IOException {
      socket.getOutputStream().write(request);
      return answer(socket);
    }

    /// Waits for the end of the connection.
    void awaitEnd() throws IOException {
      try (socket) {
        while (!answer(socket).isEmpty()) {
          // A part of an answer.
        }
      } catch (SSLException e) {
        assertThat(e).hasMessageContaining("close_notify"); // which may come at any time
      }
    }
  }

  private static byte[] resp(String name, String password) {
    return ("*3\r\n$4\r\nAUTH\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n")
        .formatted(name.length(), name, password.length(), password)
        .getBytes(US_ASCII);
  }

  private static byte[] http(String name, String password) {
    String credentials = Base64.getEncoder().encodeToString((name + ":" + password).getBytes());
    return ("GET /rest/v2/caches/default?action=size HTTP/1.1\r\nHost: localhost\r\n"
            + "Authorization: Basic "
            + credentials
            + "\r\n\r\n")
        .getBytes(US_ASCII);
  }

  private static byte[] memcached(String name, String password) {
    String words = name + " " + password;
    return ("set login 0 0 " + words.length() + "\r\n" + words + "\r\n").getBytes(US_ASCII);
  }

  private static byte[] hotRod(String name, String password) {
    var request = new ByteArrayOutputStream();
    request.writeBytes("\u00a0\u0001\u0029\u0023\0\0\u0001\0\0\0\0".getBytes(ISO_8859_1));
    for (String part : List.of("PLAIN", "\0" + name + "\0" + password)) {
      request.write(part.length());
      request.writeBytes(part.getBytes(ISO_8859_1));
    }
    return request.toByteArray();
  }

  /// A connection of each protocol, whose client is let in.
  private static List<Connection> all(String name, String password) throws IOException {
    List<Connection> all = new ArrayList<>();
    all.add(Connection.of(resp(name, password)));
    all.add(Connection.of(http(name, password)));
    all.add(Connection.of(memcached(name, password)));
    all.add(Connection.of(hotRod(name, password)));
    assertThat(all.get(0).answer).isEqualTo("+OK\r\n");
    assertThat(all.get(1).answer).startsWith("HTTP/1.1 200 ");
    assertThat(all.get(2).answer).isEqualTo("STORED\r\n");
    assertThat(all.get(3).answer).startsWith("\u00a1\u0001\u0024\0");
    return all;
  }

  @Test
  void failedLoginsAreInTheLogAndThenWait() throws Exception {
    // Infinispan refuses the version, and looks at no password: nobody is known by that (LOGIN-4).
    assertThat(Connection.of("HELLO 9 AUTH mallory x\r\n".getBytes(US_ASCII)).answer)
        .startsWith("-NOPROTO");
    String name = "mallory\r\nWARN forged";
    assertThat(Connection.of(resp(name, GUESS)).answer).startsWith("-WRONGPASS");
    assertThat(Connection.of(http(name, GUESS)).answer).startsWith("HTTP/1.1 401 ");
    assertThat(Connection.of(memcached("mallory", GUESS)).answer)
        .startsWith("CLIENT_ERROR authentication failed: the login is refused")
        .endsWith("\r\n");
    assertThat(Connection.of(hotRod(name, GUESS)).answer).contains("the login is refused");
    assertThat(Connection.of("HELLO 3 AUTH mallory x\r\n".getBytes(US_ASCII)).answer)
        .startsWith("-WRONGPASS");
    Connection last = Connection.of(resp("mallory", GUESS));
    assertThat(last.answer).startsWith("-WRONGPASS");

    String log = Files.readString(directory.resolve("serve.log"));
    for (String protocol : List.of("resp", "http", "memcached", "hotrod")) {
      assertThat(log)
          .contains("logins failed: peer=127.0.0.1, protocol=" + protocol + ", count=1;");
    }
    assertThat(log).doesNotContain("mallory", "forged", GUESS);
    // The address has had as many as it may. Users that it is known to have are let in.
    last.socket.getOutputStream().write(resp("mallory", GUESS));
    for (Connection connection : all("alice", PASSWORD)) {
      connection.socket.close();
    }
    last.socket.setSoTimeout(1);
    assertThat(last.socket.getInputStream().available()).isZero();
  }

  @Test
  void connectionsOfUsersWhoHaveChangedEnd() throws Exception {
    Connection other = all("alice", PASSWORD).getFirst();
    List<Connection> removed = all("bob", PASSWORD);
    users.remove("bob");
    for (Connection connection : removed) {
      connection.awaitEnd();
    }
    assertThat(Connection.of(resp("bob", PASSWORD)).answer).startsWith("-WRONGPASS");

    Connection admin = Connection.of(resp("carol", PASSWORD));
    assertThat(admin.call("SET k v\r\n".getBytes(US_ASCII))).isEqualTo("+OK\r\n");
    users.set("carol", PASSWORD, Role.OBSERVER);
    admin.awaitEnd();
    Connection observer = Connection.of(resp("carol", PASSWORD));
    assertThat(observer.answer).isEqualTo("+OK\r\n");
    assertThat(observer.call("SET k v\r\n".getBytes(US_ASCII))).startsWith("-");
    assertThat(observer.call("GET k\r\n".getBytes(US_ASCII))).isEqualTo("$1\r\nv\r\n");

    users.set("carol", "another", Role.OBSERVER);
    observer.awaitEnd();
    assertThat(Connection.of(resp("carol", PASSWORD)).answer).startsWith("-WRONGPASS");
    assertThat(Connection.of(resp("carol", "another")).answer).isEqualTo("+OK\r\n");
    assertThat(other.call("PING\r\n".getBytes(US_ASCII))).isEqualTo("+PONG\r\n");
  }
}
