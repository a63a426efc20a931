package io.varve.grid;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that listen to the events of a cache by HTTP, and those that write to it.
@Tag("slow")
@Timeout(120)
class EventStreamsTest extends SharedNode {
  private static Socket listener(String cache, String headers) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(4096); // so that little is on its way
    socket.setSoTimeout(60_000);
    socket.connect(new InetSocketAddress(Clients.HOST, node.port()));
    String request =
        "GET /rest/v2/caches/" + cache + "?action=listen HTTP/1.1\r\nHost: localhost\r\n";
    socket.getOutputStream().write((request + headers + "\r\n").getBytes(US_ASCII));
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) socket.getInputStream().read());
    }
    assertThat(head.toString()).startsWith("HTTP/1.1 200");
    return socket;
  }

  /// EVENTSTREAM-1. One that has stopped its reading stopped each client that wrote, for good.
  @Test
  void noWriteWaitsForAListenerThatDoesNotRead() throws Exception {
    String key = "k".repeat(4_000);
    try (Socket silent = listener("default", "");
        var redis = new RawResp(node.port())) {
      for (int call = 0; call < 90; call++) { // more than a listener may leave unread
        String[] words = new String[1 + 2 * 100];
        Arrays.fill(words, "v");
        words[0] = "MSET";
        for (int at = 1; at < words.length; at += 2) {
          words[at] = call + "-" + at + key;
        }
        assertThat(redis.call(words)).isEqualTo("+OK ");
      }
      assertThat(silent.getInputStream().readAllBytes().length).isLessThan(33 << 20);
    }
  }

  /// EVENTSTREAM-2. The keys of this cache are no JSON: each write failed while a client listened.
  @ParameterizedTest
  @ValueSource(strings = {"", "Accept: application/json\r\n", "Accept: */*\r\n"})
  void aListenerOfAnyFormatFailsNoWrite(String accept) throws Exception {
    try (Socket listener = listener("default", accept);
        var redis = new RawResp(node.port())) {
      // Events are sent from some time after the head of the answer on.
      await()
          .until(() -> {
            assertThat(redis.call("SET", "no JSON", "v")).isEqualTo("+OK ");
            return listener.getInputStream().available() > 0;
          });
      assertThat(dataOf(listener)).isEqualTo("data: no JSON");
    }
  }

  /// EVENTSTREAM-2
  @Test
  void keysOfProtocolBuffersAreJson() throws Exception {
    var http = new RawHttp(node.port());
    http.send("POST /rest/v2/caches/messages?template=varve", "", "Host: localhost");
    try (Socket listener = listener("messages", "Accept: text/plain\r\n")) {
      await()
          .until(() -> {
            RawHttp.Answer written =
                http.send(
                    "PUT /rest/v2/caches/messages/k",
                    "v",
                    "Host: localhost",
                    "Content-Type: text/plain");
            assertThat(written.status()).as(written.text()).isEqualTo(204);
            return listener.getInputStream().available() > 0;
          });
      assertThat(dataOf(listener)).contains("\"_value\":\"k\"");
    }
  }

  private static String dataOf(Socket listener) throws IOException {
    var lines = new BufferedReader(new InputStreamReader(listener.getInputStream(), US_ASCII));
    String line = lines.readLine();
    while (line != null && !line.startsWith("data: ")) {
      line = lines.readLine();
    }
    return String.valueOf(line);
  }
}
