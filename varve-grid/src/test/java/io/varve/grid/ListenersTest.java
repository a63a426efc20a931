package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import org.infinispan.client.hotrod.DataFormat;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.annotation.ClientCacheEntryCreated;
import org.infinispan.client.hotrod.annotation.ClientListener;
import org.infinispan.client.hotrod.event.ClientCacheEntryCreatedEvent;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.marshall.IdentityMarshaller;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that listen to the events of a cache, by HTTP or Hot Rod, and those that write to it.
@Tag("slow")
@Timeout(120)
class ListenersTest extends SharedNode {
  /// More than a listener may leave unread is written by the calls that add as many entries.
  private static final int CALLS = 90;

  private static final int ENTRIES = 100;
  private static final String LONG_KEY = "k".repeat(4_000);

  /// A request of Hot Rod 4.1 to add a listener `L` to the cache `default`, for all events.
  private static final String ADD_LISTENER =
      "\u00a0\u0001\u0029\u0025\u0007default\0\u0001\0\0\0\0\u0001L\0\0\0\0\0";

  private static Socket connect() throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(4096); // so that little is in flight
    socket.setSoTimeout(60_000);
    socket.connect(new InetSocketAddress(Clients.HOST, node.port()));
    return socket;
  }

  private static Socket listener(String cache, String headers) throws IOException {
    Socket socket = connect();
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
    try (Socket silent = listener("default", "")) {
      writeMany();
      assertThat(silent.getInputStream().readAllBytes().length).isLessThan(33 << 20);
    }
  }

  /// LISTENER-1. So did one of Hot Rod, as one whose machine sleeps.
  @Test
  void aListenerOfHotRodThatDoesNotReadIsEnded() throws Exception {
    try (Socket silent = connect()) {
      silent.getOutputStream().write(ADD_LISTENER.getBytes(ISO_8859_1));
      byte[] answer = silent.getInputStream().readNBytes(5);
      assertThat(answer).as("magic, number, operation, status, topology").endsWith(0x26, 0, 0);
      writeMany();
      assertThat(silent.getInputStream().readAllBytes().length).isLessThan(33 << 20);
    }
  }

  private static void writeMany() throws IOException {
    try (var redis = new RawResp(node.port())) {
      for (int call = 0; call < CALLS; call++) {
        String[] words = new String[1 + 2 * ENTRIES];
        Arrays.fill(words, "v");
        words[0] = "MSET";
        for (int at = 1; at < words.length; at += 2) {
          words[at] = call + "-" + at + LONG_KEY;
        }
        assertThat(redis.call(words)).isEqualTo("+OK ");
      }
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

  /// EVENTSTREAM-3. The rest of the key was an event that nothing has caused.
  @ParameterizedTest
  @ValueSource(strings = {"\r", "\r\r", "\n", "\n\n", "\r\n", "\r\n\r\n", "\n\r"})
  void aKeyIsNoEvent(String end) throws Exception {
    try (Socket listener = listener("default", "");
        var redis = new RawResp(node.port())) {
      String key = "a" + end + "event: cache-entry-removed" + end + "data: b";
      await()
          .until(() -> {
            assertThat(redis.call("SET", key, "v")).isEqualTo("+OK ");
            return listener.getInputStream().available() > 0;
          });
      var sent = new StringBuilder();
      while (sent.indexOf("data: b") < 0) { // an event may come in parts
        byte[] part = listener.getInputStream().readNBytes(1);
        assertThat(part).as(sent.toString()).isNotEmpty();
        sent.append(new String(part, ISO_8859_1));
      }
      assertThat(sent.toString().split("\r\n|[\r\n]"))
          .contains("data: a", "data: event: cache-entry-removed", "data: data: b")
          .doesNotContain("event: cache-entry-removed", "data: b");
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

  /// LISTENER-2. Each write failed, for the client that wrote.
  @Test
  void aKeyOfAnUnknownTypeFailsNoWrite() throws Exception {
    var http = new RawHttp(node.port());
    http.send("POST /rest/v2/caches/unknown?template=varve", "", "Host: localhost");
    DataFormat messages =
        DataFormat.builder()
            .keyType(MediaType.APPLICATION_PROTOSTREAM)
            .keyMarshaller(IdentityMarshaller.INSTANCE)
            .valueType(MediaType.APPLICATION_PROTOSTREAM)
            .valueMarshaller(IdentityMarshaller.INSTANCE)
            .build();
    String ofUnknownType = "\u0082\u0001\u0003a.B\u008a\u0001\u0002\u0008\u0001"; // a.B {1: 1}
    byte[] key = ofUnknownType.getBytes(ISO_8859_1);
    try (RemoteCacheManager manager = Clients.hotRod(node.port());
        Socket listener = listener("unknown", "")) {
      RemoteCache<byte[], byte[]> cache = manager.getCache("unknown").withDataFormat(messages);
      await()
          .until(() -> {
            cache.put(key, key);
            return listener.getInputStream().available() > 0;
          });
      assertThat(cache.get(key)).isEqualTo(key);
      String bytes = Base64.getEncoder().encodeToString(key);
      assertThat(dataOf(listener))
          .isEqualTo("data: {\"_type\":\"bytes\",\"_value\":\"" + bytes + "\"}");
    }
  }

  /// LISTENER-2. Infinispan converts what a listener is sent while the entry is written.
  @ParameterizedTest
  @ValueSource(
      strings = {
        MediaType.APPLICATION_JSON_TYPE,
        MediaType.APPLICATION_XML_TYPE,
        MediaType.APPLICATION_PROTOSTREAM_TYPE,
        MediaType.APPLICATION_OCTET_STREAM_TYPE,
        MediaType.TEXT_PLAIN_TYPE
      })
  void aListenerOfHotRodOfAnyFormatFailsNoWrite(String type) throws Exception {
    MediaType format = MediaType.fromString(type);
    DataFormat formats =
        DataFormat.builder()
            .keyType(format)
            .keyMarshaller(IdentityMarshaller.INSTANCE)
            .valueType(format)
            .valueMarshaller(IdentityMarshaller.INSTANCE)
            .build();
    var listener = new Counting();
    try (RemoteCacheManager manager = Clients.hotRod(node.port());
        var redis = new RawResp(node.port())) {
      manager.getCache("default").withDataFormat(formats).addClientListener(listener);
      assertThat(redis.call("SET", "no " + type, "\u00ff{")).isEqualTo("+OK ");
      await().untilAsserted(() -> assertThat(listener.created).hasValue(1));
    }
  }

  @ClientListener
  private static final class Counting {
    private final AtomicInteger created = new AtomicInteger();

    @ClientCacheEntryCreated
    public void created(ClientCacheEntryCreatedEvent<?> event) {
      created.incrementAndGet();
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
