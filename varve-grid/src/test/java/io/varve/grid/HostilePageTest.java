package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a web page that is open on the machine of a node makes a browser send.
@Timeout(300)
class HostilePageTest {
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final String ENTRY = "/rest/v2/caches/default/page";

  @TempDir static Path data;

  private static Node node;
  private static RawHttp http;

  @BeforeAll
  static void start() {
    node = Serving.node(data, "--name", "shop.example", "--memcached-port", Serving.freePort());
    http = new RawHttp(node.port());
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  /// Each line is a request by its method, and headers; PORT is the port of the node.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "204 | PUT  | Host: localhost:PORT",
        "204 | PUT  | Host: 127.0.0.1:PORT",
        "204 | PUT  | Host: [::1]:PORT",
        "204 | PUT  | Host: shop.example",
        "204 | PUT  | Host: Shop.Example:PORT; Origin: http://shop.example:PORT",
        "204 | PUT  | Host: localhost:PORT; Origin: http://localhost:PORT; Sec-Fetch-Site:"
            + " same-origin",
        "204 | PUT  | Host: localhost:PORT; Referer: http://localhost:PORT/console/",
        "200 | GET  | Host: localhost:PORT",
        "421 | PUT  | Host: evil.example:PORT",
        "421 | PUT  | Host: evil.example:PORT; Origin: http://evil.example:PORT",
        "421 | GET  | Host: evil.example:PORT",
        "421 | PUT  | Host: localhost.evil.example",
        "421 | PUT  | Host: 127.0.0.1.evil.example",
        "403 | PUT  | Host: localhost:PORT; Origin: null",
        "403 | PUT  | Host: localhost:PORT; Origin: http://evil.example",
        "403 | PUT  | Host: localhost:PORT; Origin: http://localhost:9000",
        "403 | PUT  | Host: localhost:PORT; Origin: http://localhost:PORT.evil.example",
        "403 | GET  | Host: localhost:PORT; Origin: http://evil.example",
        "403 | OPTIONS | Host: localhost:PORT; Origin: null; Access-Control-Request-Method: PUT",
        "403 | POST | Host: localhost:PORT; Content-Type: text/plain; Origin: null",
        "403 | POST | Host: localhost:PORT; Content-Type: text/plain; Sec-Fetch-Site: cross-site",
        "403 | POST | Host: localhost:PORT; Referer: http://evil.example/",
        "403 | GET  | Host: localhost:PORT; Sec-Fetch-Site: cross-site; Sec-Fetch-Mode: no-cors",
        "403 | GET  | Host: localhost:PORT; Sec-Fetch-Site: same-site; Sec-Fetch-Mode: navigate",
        "421 | GET  | Host: localhost:PORT; Host: evil.example",
        "400 | PUT  | Host: localhost:PORT; Transfer-Encoding: chunked, xchunked",
        "400 | PUT  | Host: localhost:PORT; Transfer-Encoding: xchunked",
        "400 | PUT  | Host: localhost:PORT; Transfer-Encoding: gzip, chunked",
        "400 | PUT  | Host: localhost:PORT; Transfer-Encoding: chunked; Transfer-Encoding: x",
      })
  void aRequestIsTakenByWhoAsks(int status, String method, String headers) throws Exception {
    http.send("PUT " + ENTRY, "x", "Host: localhost");
    String[] lines = headers.replace("PORT", "" + node.port()).split("; ");
    assertThat(http.send(method + " " + ENTRY, "x", lines).status()).isEqualTo(status);
  }

  /// FILTER-3
  @Test
  void aBodyThatCannotBeReadIsNotStored() throws Exception {
    http.send("PUT " + ENTRY, "as it was", "Host: localhost");
    try (Socket socket = new Socket(Clients.HOST, node.port())) {
      socket.setSoTimeout(60_000);
      String request =
          "PUT " + ENTRY + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
      String body = "4\r\npart\r\nffffffffff\r\n";
      socket.getOutputStream().write((request + body).getBytes(US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
          .startsWith("HTTP/1.1 400 ");
    }
    assertThat(http.send("GET " + ENTRY, "", "Host: localhost").text()).endsWith("as it was");
  }

  /// COMPRESSED-1
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 20, -4, -1})
  void aCompressedBodyThatEndsEarlyIsNotStored(int length) throws Exception {
    byte[] whole = compressed();
    http.send("PUT " + ENTRY, "as it was", "Host: localhost");
    assertThat(put("gzip", Arrays.copyOf(whole, length > 0 ? length : whole.length + length)))
        .startsWith("HTTP/1.1 400 ");
    assertThat(http.send("GET " + ENTRY, "", "Host: localhost").text()).endsWith("as it was");
  }

  /// COMPRESSED-1
  @Test
  void aCompressedBodyMayHaveMoreThanOneMember() throws Exception {
    byte[] whole = compressed();
    var two = new ByteArrayOutputStream();
    two.writeBytes(whole);
    two.writeBytes(whole);
    for (byte[] body : new byte[][] {whole, two.toByteArray()}) {
      assertThat(put("gzip", body)).startsWith("HTTP/1.1 204 ");
      assertThat(http.send("GET " + ENTRY, "", "Host: localhost").text())
          .endsWith("value".repeat(body.length / whole.length * 1_000));
    }
    assertThat(put("gzip", Arrays.copyOf(two.toByteArray(), two.size() - 1)))
        .startsWith("HTTP/1.1 400 ");
    byte[] damaged = whole.clone();
    damaged[damaged.length - 6] ^= 1; // in its checksum
    assertThat(put("gzip", damaged)).startsWith("HTTP/1.1 400 ");
    assertThat(put("deflate", new byte[] {0x78, (byte) 0x9c, 0x4b})).startsWith("HTTP/1.1 400 ");
  }

  /// COMPRESSED-2. Such a body was stored as it came, and half of one in the format of zstd as far
  /// as that could be read.
  @ParameterizedTest
  @ValueSource(
      strings = {"br", "zstd", "snappy", "UTF-8", "gzip, gzip", "gzip\r\nContent-Encoding: x"})
  void aBodyInAnotherFormatIsNotStored(String format) throws Exception {
    http.send("PUT " + ENTRY, "as it was", "Host: localhost");
    assertThat(put(format, compressed()))
        .startsWith("HTTP/1.1 415 ")
        .containsIgnoringCase("Accept-Encoding: gzip, deflate");
    assertThat(http.send("GET " + ENTRY, "", "Host: localhost").text()).endsWith("as it was");
    assertThat(put("identity", "x".getBytes(US_ASCII))).startsWith("HTTP/1.1 204 ");
  }

  private static byte[] compressed() throws IOException {
    var compressed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(compressed)) {
      gzip.write("value".repeat(1_000).getBytes(US_ASCII));
    }
    return compressed.toByteArray();
  }

  private static String put(String encoding, byte[] body) throws IOException {
    try (Socket socket = new Socket(Clients.HOST, node.port())) {
      socket.setSoTimeout(60_000);
      String request =
          "PUT "
              + ENTRY
              + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Encoding: "
              + encoding
              + "\r\nContent-Length: "
              + body.length
              + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      socket.getOutputStream().write(body);
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  @Test
  void noPageStopsTheNode() throws Exception {
    for (String target : new String[] {"server", "cluster"}) {
      RawHttp.Answer answer =
          http.send(
              "POST /rest/v2/" + target + "?action=stop",
              "",
              "Host: localhost:" + node.port(),
              "Origin: null");
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.text()).doesNotContainIgnoringCase("access-control-allow-origin");
    }
    assertThat(node.isStopped()).isFalse();
  }

  /// A link opens the console; it is a page, and runs nothing that the other site wrote.
  @Test
  void aLinkOpensTheConsole() throws Exception {
    RawHttp.Answer answer =
        http.send(
            "GET /console/",
            "",
            "Host: localhost:" + node.port(),
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Mode: navigate");
    assertThat(answer.status()).isNotEqualTo(403);
  }

  /// The same is true for requests of HTTP/2, which have handlers of their own.
  @Test
  void secondVersionOfHttpIsGuardedToo() throws Exception {
    try (Socket socket = new Socket(Clients.HOST, node.port())) {
      socket.setSoTimeout(60_000);
      var requests = new ByteArrayOutputStream();
      requests.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
      requests.writeBytes(frame(SETTINGS, 0, ""));
      String own = header(":method", "PUT") + header(":scheme", "http") + header(":path", ENTRY);
      own += header(":authority", "localhost:" + node.port());
      requests.writeBytes(frame(HEADERS, 1, own));
      requests.writeBytes(frame(HEADERS, 3, own + header("origin", "null")));
      socket.getOutputStream().write(requests.toByteArray());
      var in = new DataInputStream(socket.getInputStream());
      Map<Integer, String> answers = new HashMap<>();
      while (answers.size() < 2) {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        in.readByte(); // flags
        int stream = in.readInt();
        String payload = new String(in.readNBytes(length), ISO_8859_1);
        if (type == HEADERS) {
          answers.put(stream, payload);
        }
      }
      assertThat(answers.get(1)).startsWith("\u0089"); // 204 in the static table of RFC 7541
      assertThat(answers.get(3)).contains("403");
    }
  }

  /// A frame of headers ends its request.
  private static byte[] frame(int type, int stream, String payload) {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length());
    frame.put((byte) 0).putShort((short) payload.length()).put((byte) type);
    frame.put((byte) (type == HEADERS ? 5 : 0)).putInt(stream);
    return frame.put(payload.getBytes(ISO_8859_1)).array();
  }

  /// A header that no table has.
  private static String header(String name, String value) {
    return "\0" + (char) name.length() + name + (char) value.length() + value;
  }

  @Test
  void linesOfAPageAreNoCommandsOfMemcached() throws Exception {
    var memcached = new RawHttp(node.memcachedPort());
    String body = "set page 0 0 1\r\nx\r\nquit\r\n";
    assertThat(memcached.send("POST /", body, "Host: localhost").text()).isEmpty();
    assertThat(node.caches().getCache("memcached")).isEmpty();
  }
}
