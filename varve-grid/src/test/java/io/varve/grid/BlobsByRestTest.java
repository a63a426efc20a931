package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Blobs that clients of HTTP send and receive as streams, encrypted.
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class BlobsByRestTest {
  private static final String ROOT = "/rest/v2/varve/blobs/";

  @TempDir static Path data;

  private static Node node;
  private static SSLContext trust;

  @BeforeAll
  static void start() throws Exception {
    node = Serving.node(data, "--tls", "--durability", "BACKGROUND", "--value-max", "1 MiB");
    trust = Clients.trusting(NodeDirectory.configuration(data).resolve("self-made.pem"));
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /// Sends requests by one version of HTTP.
  private record Sender(HttpClient http) implements AutoCloseable {
    static Sender of(HttpClient.Version version) {
      return new Sender(HttpClient.newBuilder().version(version).sslContext(trust).build());
    }

    HttpResponse<byte[]> send(String method, String path, BodyPublisher body, String... headers)
        throws IOException, InterruptedException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(
                  URI.create("https://" + Clients.HOST + ":" + node.port() + ROOT + path))
              .method(method, body);
      if (headers.length > 0) {
        request.headers(headers);
      }
      HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
      assertThat(answer.version()).isEqualTo(http.version());
      return answer;
    }

    HttpResponse<byte[]> get(String path, String... headers) throws Exception {
      return send("GET", path, BodyPublishers.noBody(), headers);
    }

    int put(String path, byte[] value, String... headers) throws Exception {
      return send("PUT", path, BodyPublishers.ofByteArray(value), headers).statusCode();
    }

    @Override
    public void close() {
      http.close();
    }
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void blobsAreSentAndReceived(HttpClient.Version version) throws Exception {
    byte[] value = bytes(3_500_000); // over --value-max
    String path = version + "/a/b%20c";
    try (Sender sender = Sender.of(version)) {
      assertThat(sender.put(path, value, "Content-Type", "image/png")).isEqualTo(201);
      HttpResponse<byte[]> got = sender.get(path, "Accept-Encoding", "gzip, deflate");
      assertThat(got.statusCode()).isEqualTo(200);
      assertThat(got.body()).isEqualTo(value);
      assertThat(header(got, "Content-Length")).isEqualTo("3500000");
      assertThat(header(got, "Content-Encoding")).isEmpty();
      assertThat(header(got, "Content-Type")).isEqualTo("image/png");
      assertThat(header(got, "Content-Security-Policy")).startsWith("sandbox");

      byte[] other = bytes(2_500_000);
      HttpResponse<byte[]> put = // of a length that is not stated
          sender.send(
              "PUT",
              path,
              BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(other)),
              "If-Match",
              header(got, "ETag"));
      assertThat(put.statusCode()).isEqualTo(204);
      HttpResponse<byte[]> part = sender.get(path, "Range", "bytes=1048000-1049000");
      assertThat(part.statusCode()).isEqualTo(206);
      assertThat(part.body()).isEqualTo(Arrays.copyOfRange(other, 1_048_000, 1_049_001));
      assertThat(header(part, "ETag")).isEqualTo(header(put, "ETag"));
      assertThat(sender.get(path, "If-None-Match", header(put, "ETag")).statusCode())
          .isEqualTo(304);
      assertThat(sender.get(path, "Range", "bytes=2500000-").statusCode()).isEqualTo(416);
      HttpResponse<byte[]> head = sender.send("HEAD", path, BodyPublishers.noBody());
      assertThat(header(head, "Content-Length")).isEqualTo("2500000");

      assertThat(sender.put(path, value, "If-None-Match", "*")).isEqualTo(412);
      assertThat(sender.put(path, bytes(10), "Content-Encoding", "gzip")).isEqualTo(415);
      assertThat(new String(sender.get(version.toString()).body(), ISO_8859_1))
          .contains("\"key\":\"a/b c\"", "\"bytes\":2500000");
      assertThat(new String(sender.get("").body(), ISO_8859_1)).contains(version.toString());
      assertThat(sender.put(path, new byte[0])).isEqualTo(204);
      assertThat(sender.get(path).body()).isEmpty();
      assertThat(sender.send("DELETE", path, BodyPublishers.noBody()).statusCode()).isEqualTo(204);
      assertThat(sender.get(path).statusCode()).isEqualTo(404);
    }
  }

  private static Socket connect() throws IOException {
    Socket socket = trust.getSocketFactory().createSocket(Clients.HOST, node.port());
    socket.setSoTimeout(60_000);
    return socket;
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
  }

  private static String head(String method, String path, String... more) {
    return method
        + " "
        + ROOT
        + path
        + " HTTP/1.1\r\nHost: localhost\r\n"
        + String.join("", Arrays.stream(more).map(line -> line + "\r\n").toList())
        + "\r\n";
  }

  private static String readTo(Socket socket, String end) throws IOException {
    var text = new StringBuilder();
    InputStream in = socket.getInputStream();
    while (text.indexOf(end) < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the connection ended after: " + text);
      }
      text.append((char) next);
    }
    return text.toString();
  }

  /// EXCHANGE-2, EXCHANGE-3
  @Test
  void aBodyIsAskedForOnceItIsWanted() throws Exception {
    String[] headers = {"Expect: 100-continue", "Content-Length: 5"};
    try (Socket socket = connect()) {
      write(socket, head("PUT", "expect/a", headers));
      assertThat(readTo(socket, "\r\n\r\n")).startsWith("HTTP/1.1 100 Continue");
      write(socket, "hello");
      assertThat(readTo(socket, "\r\n\r\n")).startsWith("HTTP/1.1 201");
      write(socket, head("GET", "expect/a") + head("HEAD", "expect/a") + head("GET", "expect"));
      assertThat(readTo(socket, "\r\n\r\nhello"))
          .startsWith("HTTP/1.1 200")
          .doesNotContain("chunked");
      assertThat(readTo(socket, "\r\n\r\n")).contains("content-length: 5");
      assertThat(readTo(socket, "}]")).contains("\"key\":\"a\"");
      write(
          socket,
          head(
              "PUT",
              "expect/a",
              "If-None-Match: *",
              "Expect: 100-continue",
              "Content-Length: 99999999999"));
      String refused = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertThat(refused).startsWith("HTTP/1.1 412").containsIgnoringCase("connection: close");
    }
  }

  @Test
  void aClientThatLeavesInTheMiddleChangesNothing() throws Exception {
    try (Sender sender = Sender.of(HttpClient.Version.HTTP_1_1)) {
      assertThat(sender.put("left/a", bytes(10))).isEqualTo(201);
      try (Socket socket = connect()) {
        write(socket, head("PUT", "left/a", "Content-Length: 3000000"));
        socket.getOutputStream().write(bytes(2_000_000));
      }
      try (Socket socket = connect()) {
        write(socket, head("PUT", "left/a", "Transfer-Encoding: chunked"));
        write(socket, "5\r\nhello\r\nno chunk\r\n");
        assertThat(readTo(socket, "\r\n")).startsWith("HTTP/1.1 400");
      }
      try (Socket socket = connect()) { // which reads nothing of a long answer
        assertThat(sender.put("left/b", bytes(3_000_000))).isEqualTo(201);
        write(socket, head("GET", "left/b"));
        readTo(socket, "\r\n\r\n");
      }
      assertThat(sender.get("left/a").body()).isEqualTo(bytes(10));
    }
  }

  /// EXCHANGE-3: the rest of the body is not wanted, which is no error. Clients took `CANCEL` for
  /// one of the answer.
  @Test
  void aStreamThatIsAnsweredEarlyEndsWithoutAnError() throws Exception {
    String headers =
        field(":method", "PUT")
            + field(":scheme", "https")
            + field(":path", ROOT + "early/a")
            + field("if-match", "*");
    String request = "\0\0" + (char) headers.length() + "\u0001\u0004\0\0\0\u0001" + headers;
    try (var socket = (SSLSocket) connect()) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      write(socket, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\0\0\0\u0004\0\0\0\0\0" + request);
      assertThat(readTo(socket, "\0\0\u0004\u0003\0\0\0\0\u0001")).contains("412");
      assertThat(socket.getInputStream().readNBytes(Integer.BYTES)).containsOnly(0);
    }
  }

  /// A field of HTTP/2 that no table has.
  private static String field(String name, String value) {
    return "\0" + (char) name.length() + name + (char) value.length() + value;
  }
}
