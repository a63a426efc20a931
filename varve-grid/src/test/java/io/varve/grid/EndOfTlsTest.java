package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// TLS-1: clients that end their TLS.
@Timeout(120)
class EndOfTlsTest {
  private static final int REQUESTS = 100;

  @TempDir static Path data;

  private static Node node;
  private static SSLSocketFactory factory;

  @BeforeAll
  static void start() throws Exception {
    node = Serving.node(data, "--tls"); // Each write waits for the disk.
    factory =
        Clients.trusting(NodeDirectory.configuration(data).resolve("self-made.pem"))
            .getSocketFactory();
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  /// What comes until the end of the connection, of which the client may end its output. That of
  /// the socket below stays open.
  private static String answers(String requests, String protocol, boolean ends) throws IOException {
    try (var socket = new Socket(Clients.HOST, node.port());
        var tls =
            (SSLSocket)
                factory.createSocket(socket, Clients.HOST, node.port(), /* autoClose= */ false)) {
      tls.setEnabledProtocols(new String[] {protocol});
      tls.setSoTimeout(20_000);
      tls.getOutputStream().write(requests.getBytes(ISO_8859_1));
      if (ends) {
        tls.shutdownOutput();
      }
      return new String(tls.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private static int count(String answers, String part) {
    return (answers.length() - answers.replace(part, "").length()) / part.length();
  }

  /// Nothing was answered, while a client without TLS got all.
  @Test
  void whatWasAskedBeforeTheEndIsAnswered() throws IOException {
    String resp = answers("SET k v\r\nRANDOMKEY\r\n".repeat(REQUESTS), "TLSv1.3", true);
    assertThat(count(resp, "+OK\r\n")).isEqualTo(REQUESTS);
    assertThat(count(resp, "$1\r\nk\r\n")).isEqualTo(REQUESTS);
    String text = answers("set k 0 0 1\r\nx\r\nget k\r\n".repeat(REQUESTS), "TLSv1.3", true);
    assertThat(count(text, "STORED\r\n")).isEqualTo(REQUESTS);
    assertThat(count(text, "END\r\n")).isEqualTo(REQUESTS);
    String put = "\u00a0\u0007\u0029\u0001\u0007default\0\u0001\0\0\0\0\u0004half\u0077\u0004xxxx";
    assertThat(count(answers(put.repeat(REQUESTS), "TLSv1.3", true), "\u00a1")).isEqualTo(REQUESTS);
  }

  @Test
  void requestsOfHttpBeforeTheEndAreAnswered() throws IOException {
    String path = " /rest/v2/caches/default/half HTTP/1.1\r\nHost: localhost\r\n";
    String put = "PUT" + path + "Content-Length: 1\r\n\r\nx";
    String answers = answers((put + "GET" + path + "\r\n").repeat(REQUESTS), "TLSv1.3", true);
    assertThat(count(answers, "HTTP/1.1 204 ")).isEqualTo(REQUESTS);
    assertThat(count(answers, "\r\n\r\nx")).isEqualTo(REQUESTS);
  }

  /// The JDK ends both directions then.
  @Test
  void theEndOfTls12EndsTheConnection() throws IOException {
    assertThat(answers("SET k v\r\n".repeat(REQUESTS), "TLSv1.2", true)).doesNotContain("-");
  }

  /// RESPREQUEST-1
  @Test
  void whatIsNoRespIsAnswered() throws IOException {
    assertThat(answers("SET k v\r\n*1\r\n+PING\r\nSET k w\r\n", "TLSv1.3", false))
        .isEqualTo("+OK\r\n-ERR Protocol error: expected '$', got '+'\r\n");
  }

  /// The end of TLS comes before that of the connection, which was not read: the client continued
  /// to wait, and an element was popped for it that nobody got.
  @Test
  void aClientThatWaitsTakesNothingAfterItsEnd() throws Exception {
    try (var redis = new RawResp(factory.createSocket(Clients.HOST, node.port()));
        var socket = new Socket(Clients.HOST, node.port());
        var ending =
            factory.createSocket(socket, Clients.HOST, node.port(), /* autoClose= */ false)) {
      socket.setSoTimeout(60_000);
      var waiting = new RawResp(ending);
      assertThat(waiting.call("PING")).isEqualTo("+PONG ");
      waiting.send("BLPOP queue 0\r\n");
      await().until(() -> redis.call("INFO").contains("blocked_clients:1"));
      ((SSLSocket) ending).shutdownOutput();
      await().until(() -> redis.call("INFO").contains("blocked_clients:0"));
      assertThat(redis.call("RPUSH", "queue", "a")).isEqualTo(":1 ");
      assertThat(redis.call("LPOP", "queue")).isEqualTo("$1 a ");
    }
  }
}
