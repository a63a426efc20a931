package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests that are refused by 400: HTTP-1, of those that ask for an upgrade to HTTP/2 in clear
/// text, and REST-7.
@Timeout(120)
class UpgradedRequestTest extends SharedNode {
  /// Of two, one has a body that cannot be read, and one has a coding that is not taken. Both were
  /// stored.
  @ParameterizedTest
  @CsvSource({
    "whole, chunked, 1|x|0||, 204, 200",
    "broken, chunked, 1|x|zz||, 400, 404",
    "coded, 'gzip, chunked', 1|x|0||, 400, 404"
  })
  void theyAreRequestsOfTheFirstVersion(
      String key, String coding, String body, int status, int stored) throws IOException {
    String path = " /rest/v2/caches/default/" + key;
    assertThat(
            status(
                "PUT"
                    + path
                    + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
                    + coding
                    + "\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                    + "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"
                    + body.replace("|", "\r\n")))
        .isEqualTo(status);
    assertThat(status("GET" + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")).isEqualTo(stored);
  }

  /// REST-7. The answer was 500.
  @ParameterizedTest
  @CsvSource({"PUT, 4000, 204", "GET, 4000, 200", "PUT, 5000, 400", "GET, 5000, 400"})
  void aKeyThatIsTooLongIsRefused(String method, int length, int status) throws IOException {
    String key = "k".repeat(length);
    assertThat(
            status(
                method
                    + " /rest/v2/caches/default/"
                    + key
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx"))
        .isEqualTo(status);
  }

  private static int status(String request) throws IOException {
    try (Socket socket = new Socket(Clients.HOST, node.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      byte[] line = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
      return Integer.parseInt(new String(line, ISO_8859_1).split(" ")[1]);
    }
  }
}
