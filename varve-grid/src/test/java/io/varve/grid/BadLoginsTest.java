package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// HOTROD-4, MEMCACHED-4, FILTER-4: logins that cannot be read are refused as others are.
@Timeout(120)
class BadLoginsTest {
  private static final String REFUSED = "the login is refused";
  private static final int LOGIN = 0x21;
  private static final int STEP = 0x22;
  private static final int REFUSED_STATUS = 0x20;

  @TempDir static Path data;

  private static Node node;
  private static SSLSocketFactory sockets;

  @BeforeAll
  static void start() throws Exception {
    Path configuration = NodeDirectory.configuration(data);
    new Users(configuration).set(LoggedIn.USER, LoggedIn.PASSWORD, Role.ADMIN);
    node = Serving.node(data, "--tls", "--durability", "BACKGROUND");
    sockets = Clients.trusting(configuration.resolve("self-made.pem")).getSocketFactory();
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  private static Socket connect() throws Exception {
    Socket socket = sockets.createSocket(Clients.HOST, node.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static String answer(Socket socket, byte[] request) throws Exception {
    socket.getOutputStream().write(request);
    byte[] answer = new byte[1_000];
    int length = socket.getInputStream().read(answer);
    return new String(answer, 0, Math.max(0, length), ISO_8859_1);
  }

  private static byte[] hotRod(String mechanism, String words) {
    var request = new ByteArrayOutputStream();
    request.writeBytes("\u00a0\u0001\u0029\u0023\0\0\u0001\0\0\0\0".getBytes(ISO_8859_1));
    for (String part : new String[] {mechanism, words}) {
      request.write(part.length());
      request.writeBytes(part.getBytes(ISO_8859_1));
    }
    return request.toByteArray();
  }

  /// A name that is empty was not answered, and a thread ended by it.
  @ParameterizedTest
  @CsvSource({"PLAIN, //", "PLAIN, //secret", "NOPE, ''", "NOPE, x", "'', ''", "EXTERNAL, ''"})
  void aLoginThatCannotBeReadIsRefused(String mechanism, String words) throws Exception {
    String sent = words.replace('/', '\0');
    PrintStream before = System.err;
    var errors = new ByteArrayOutputStream();
    System.setErr(new PrintStream(errors, true, ISO_8859_1));
    try (Socket socket = connect();
        var memcached = new BinaryMemcached(connect())) {
      assertThat(answer(socket, hotRod(mechanism, sent)))
          .startsWith("\u00a1\u0001\u0050\u0085")
          .contains(REFUSED);
      assertThat(answer(socket, hotRod("PLAIN", "\0alice\0secret")))
          .startsWith("\u00a1\u0001\u0024\0");
      BinaryMemcached.Answer refused =
          memcached.call(LOGIN, BinaryMemcached.NOTHING, mechanism, sent);
      assertThat(refused.status()).isEqualTo(REFUSED_STATUS);
      assertThat(refused.value()).contains(REFUSED);
      BinaryMemcached.Answer let =
          memcached.call(LOGIN, BinaryMemcached.NOTHING, "PLAIN", "\0alice\0secret");
      assertThat(let.status()).isZero();
    } finally {
      System.setErr(before);
    }
    assertThat(errors.toString(ISO_8859_1)).doesNotContain("Exception");
  }

  @Test
  void aStepOfNoLoginIsRefused() throws Exception {
    try (var memcached = new BinaryMemcached(connect())) {
      BinaryMemcached.Answer refused =
          memcached.call(STEP, BinaryMemcached.NOTHING, "PLAIN", "\0alice\0secret");
      assertThat(refused.status()).isEqualTo(REFUSED_STATUS);
      assertThat(refused.value()).contains(REFUSED);
    }
  }

  @ParameterizedTest
  @CsvSource({"Basic", "Digest", "''", "YWxpY2U6c2VjcmV0"})
  void credentialsWithoutASchemeAreRefused(String credentials) throws Exception {
    String request =
        "GET /rest/v2/caches HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + credentials;
    try (Socket socket = connect()) {
      assertThat(answer(socket, (request + "\r\n\r\n").getBytes(ISO_8859_1)))
          .startsWith("HTTP/1.1 400 ");
    }
  }
}
