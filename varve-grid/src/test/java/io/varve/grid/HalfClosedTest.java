package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.grid.node.Node;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// CONNECTION-6: clients that send their requests and end their output, as `nc -N` does. They get
/// all answers, and the end of the connection after those.
@Timeout(120)
class HalfClosedTest {
  private static final int REQUESTS = 300;
  private static final String VALUE = "x".repeat(1_000);

  @TempDir static Path data;

  private static Node node;

  @BeforeAll
  static void start() {
    node = Serving.node(data); // Each write waits for the disk.
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  /// What comes until the end of the connection.
  private static String answers(String requests) throws IOException {
    return Clients.answers(node.port(), requests, /* ends= */ true);
  }

  private static String requests(IntFunction<String> request) {
    return IntStream.range(0, REQUESTS).mapToObj(request).collect(Collectors.joining());
  }

  private static int count(String answers, String part) {
    return (answers.length() - answers.replace(part, "").length()) / part.length();
  }

  @Test
  void respIsAnswered() throws IOException {
    String answers =
        answers(requests(at -> "SET half" + at + " " + VALUE + "\r\nRANDOMKEY\r\nGET half0\r\n"));
    assertThat(count(answers, "+OK\r\n")).isEqualTo(REQUESTS);
    assertThat(count(answers, "$1000\r\n" + VALUE + "\r\n")).isEqualTo(REQUESTS);
  }

  @Test
  void memcachedIsAnswered() throws IOException {
    String answers =
        answers(
            requests(
                at -> "set half" + at + " 0 0 1000\r\n" + VALUE + "\r\nget half" + at + "\r\n"));
    assertThat(count(answers, "STORED\r\n")).isEqualTo(REQUESTS);
    assertThat(count(answers, "END\r\n")).isEqualTo(REQUESTS);
  }

  /// MEMCACHED-5
  @Test
  void memcachedIsAnsweredBeforeItsEnd() throws IOException {
    String one = "VALUE quit 0 1\r\nx\r\nEND\r\n";
    assertThat(answers("set quit 0 0 1\r\nx\r\nget quit\r\nget quit\r\nquit\r\nget quit\r\n"))
        .isEqualTo("STORED\r\n" + one + one);
  }

  @Test
  void binaryMemcachedIsAnswered() throws IOException {
    var requests = new ByteArrayOutputStream();
    for (int at = 0; at < REQUESTS; at++) {
      requests.writeBytes(
          BinaryMemcached.request(
              BinaryMemcached.SET, 0x61626364, BinaryMemcached.NO_FLAGS, "half" + at, VALUE));
    }
    assertThat(count(answers(requests.toString(ISO_8859_1)), "abcd")).isEqualTo(REQUESTS);
  }

  @Test
  void httpIsAnswered() throws IOException {
    String path = " /rest/v2/caches/default/half HTTP/1.1\r\nHost: localhost\r\n";
    String put = "PUT" + path + "Content-Length: 1000\r\n\r\n" + VALUE;
    String answers = answers(requests(at -> put + "GET" + path + "\r\n"));
    assertThat(count(answers, "HTTP/1.1 204 ")).isEqualTo(REQUESTS);
    assertThat(count(answers, "\r\n\r\n" + VALUE)).isEqualTo(REQUESTS);
  }

  /// To make a cache takes longer than a connection without requests stays open.
  @Test
  void streamsOfHttp2AreAnswered() throws IOException {
    String headers =
        header(":method", "POST")
            + header(":scheme", "http")
            + header(":authority", "localhost")
            + header(":path", "/rest/v2/caches/half?template=varve");
    String begin = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\0\0\0\u0004\0\0\0\0\0";
    String request = "\0\0" + (char) headers.length() + "\u0001\u0005\0\0\0\u0001" + headers;
    String status200 = "\u0088"; // of the table of HPACK
    assertThat(answers(begin + request)).contains("\u0001\u0005\0\0\0\u0001" + status200);
    // HTTP-3: 100 windows of 65,535 bytes. Streams that were not read stopped all others.
    assertThat(answers(begin)).contains("\0\0\u0004\u0008\0\0\0\0\0\0\u0063\u00ff\u009c");
    // A request of which no more comes is not waited for.
    assertThat(answers(begin + request.replace("\u0001\u0005", "\u0001\u0004")))
        .doesNotContain(status200);
  }

  /// A header that no table has.
  private static String header(String name, String value) {
    return "\0" + (char) name.length() + name + (char) value.length() + value;
  }

  @Test
  void hotRodIsAnswered() throws IOException {
    // Of the version 4.1: the cache, no flags, a client that knows one node; both times default.
    String put = "\u0029\u0001\u0007default\0\u0001\0\0\0\0\u0004half\u0077\u0004xxxx";
    String answers = answers(requests(at -> "\u00a0" + (char) (at % 100) + put));
    assertThat(count(answers, "\u00a1")).isEqualTo(REQUESTS);
  }

  /// A request of which no more comes is not waited for.
  @Test
  void whatIsNotWholeEndsTheConnection() throws IOException {
    assertThat(answers("SET half")).isEmpty();
    assertThat(answers("PING\r\n*2\r\n$3\r\nGET\r\n$4\r\nha")).isEqualTo("+PONG\r\n");
    assertThat(answers("PUT /rest/v2/caches/default/half HTTP/1.1\r\nContent-Length: 9\r\n\r\nx"))
        .isEmpty();
    assertThat(answers("set half 0 0 10\r\nx")).isEmpty();
    assertThat(answers("\u00a0\u0001\u0029")).isEmpty();
  }

  /// Nobody would take an element that comes later.
  @Test
  void aCommandThatWaitsIsEnded() throws Exception {
    assertThat(answers("PING\r\nBLPOP nothing 0\r\nPING\r\n")).isEqualTo("+PONG\r\n");
    assertThat(answers("SUBSCRIBE channel\r\n")).contains("subscribe");
    try (var redis = new RawResp(node.port())) {
      await().until(() -> redis.call("INFO").contains("blocked_clients:0"));
      assertThat(redis.call("RPUSH", "nothing", "a")).isEqualTo(":1 ");
      assertThat(redis.call("LPOP", "nothing")).isEqualTo("$1 a ");
    }
  }
}
