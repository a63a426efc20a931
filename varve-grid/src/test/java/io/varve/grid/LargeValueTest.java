package io.varve.grid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.Clients.Rest;
import io.varve.grid.node.Node;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A value that is larger than what clients put as a rule goes in and out in parts, and is the same
/// after a restart. `-Dvarve.grid.value.bytes=1073741824`, with `-Dtest.jvm=-Xmx9g` and the like,
/// is a gigabyte.
@Tag("slow")
@Timeout(1_200)
class LargeValueTest {
  private static final long BYTES = Long.getLong("varve.grid.value.bytes", 24L << 20);

  /// Of a value of Hot Rod, whose client has it in one array.
  private static final int ARRAY_BYTES = 8 << 20;

  private static final String VALUE_MAX = Long.toString(BYTES + (1L << 20));

  @TempDir Path data;

  /// Bytes that are the same for the same seed.
  private static final class Bytes extends InputStream {
    private final Random random;
    private long left;

    Bytes(long seed, long length) {
      this.random = new Random(seed);
      this.left = length;
    }

    @Override
    public int read() {
      return left-- > 0 ? random.nextInt(256) : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (left == 0) {
        return -1;
      }
      byte[] part = new byte[(int) Math.min(Math.min(length, left), 64 << 10)];
      random.nextBytes(part);
      System.arraycopy(part, 0, into, offset, part.length);
      left -= part.length;
      return part.length;
    }
  }

  private static byte[] digest(InputStream in) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (var stream = new DigestInputStream(in, digest)) {
      stream.transferTo(OutputStream.nullOutputStream());
    }
    return digest.digest();
  }

  @Test
  void goesInAndOutInParts() throws Exception {
    byte[] ofHotRod;
    byte[] ofRest;
    try (Node node = Serving.node(data, "--value-max", VALUE_MAX, "--entries", "1")) {
      ofHotRod = putByHotRod(node);
      ofRest = putByRest(node);
      assertThat(getByHotRod(node)).isEqualTo(ofHotRod);
    }
    try (Node node = Serving.node(data, "--value-max", VALUE_MAX, "--entries", "1")) {
      assertThat(getByHotRod(node)).isEqualTo(ofHotRod);
      assertThat(getByRest(node)).isEqualTo(ofRest);
    }
  }

  private static byte[] putByHotRod(Node node) throws Exception {
    byte[] value = new Bytes(1, ARRAY_BYTES).readAllBytes();
    try (RemoteCacheManager client = Clients.hotRod(node.port())) {
      Clients.bytes(client).put("hot".getBytes(UTF_8), value);
    }
    return digest(new ByteArrayInputStream(value));
  }

  private static byte[] getByHotRod(Node node) throws Exception {
    try (RemoteCacheManager client = Clients.hotRod(node.port())) {
      return digest(new ByteArrayInputStream(Clients.bytes(client).get("hot".getBytes(UTF_8))));
    }
  }

  private static byte[] putByRest(Node node) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (Rest client = Rest.of(node.port())) {
      var body =
          HttpRequest.BodyPublishers.fromPublisher(
              HttpRequest.BodyPublishers.ofInputStream(
                  () -> new DigestInputStream(new Bytes(2, BYTES), digest)),
              BYTES);
      var put = HttpRequest.newBuilder(client.entry("rest")).PUT(body).build();
      assertThat(client.send(put).statusCode()).isEqualTo(204);
    }
    return digest.digest();
  }

  private static byte[] getByRest(Node node) throws Exception {
    try (Rest client = Rest.of(node.port())) {
      return digest(
          client
              .http()
              .send(
                  HttpRequest.newBuilder(client.entry("rest")).build(),
                  BodyHandlers.ofInputStream())
              .body());
    }
  }

  /// What is larger than the node reads is refused, and the node continues.
  @Test
  void whatIsTooLargeIsRefused() throws Exception {
    try (Node node = Serving.node(data, "--value-max", "100 KiB");
        Rest client = Rest.of(node.port())) {
      assertThat(refused(client)).isTrue();
      assertThat(client.put("small", "x")).isEqualTo(204);
      assertThat(client.get("large").statusCode()).isEqualTo(404);
    }
  }

  /// A client that states how long its request is hears why it is refused before it sends that; one
  /// that does not, when it has sent too much.
  @Test
  void whoSendsTooMuchHearsWhy() throws Exception {
    try (Node node = Serving.node(data, "--value-max", "1 KiB")) {
      String put = "PUT /rest/v2/caches/default/large HTTP/1.1\r\nHost: localhost\r\n";
      for (String rest :
          List.of(
              "Content-Length: 1000000\r\n\r\n",
              "Transfer-Encoding: chunked\r\n\r\n800\r\n" + "x".repeat(0x800) + "\r\n")) {
        try (Socket socket = new Socket(Clients.HOST, node.port())) {
          socket.setSoTimeout(60_000);
          socket.getOutputStream().write((put + rest).getBytes(UTF_8));
          assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
              .startsWith("HTTP/1.1 413 ")
              .contains("longer than this node takes: bytes=1024; that is --value-max");
        }
      }
    }
  }

  /// The default of `--value-max` is for larger heaps: what the heap cannot hold is refused before
  /// memory is taken for it, and what is not is stored, two at a time.
  @Test
  void aSmallHeapRefusesWhatItHasNoCapacityFor() throws Exception {
    try (ServeProcess node = ServeProcess.start(data.resolve("node"));
        Rest client = Rest.of(node.port())) {
      long bytesMax = 0;
      try (Socket socket = new Socket(Clients.HOST, node.port())) {
        socket.setSoTimeout(60_000);
        String put =
            "PUT /rest/v2/caches/default/large HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Length: 66060288\r\n\r\n";
        socket.getOutputStream().write(put.getBytes(UTF_8));
        String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
        assertThat(answer).startsWith("HTTP/1.1 413 ").contains("an eighth of the heap");
        bytesMax = Long.parseLong(answer.replaceAll("(?s).*bytes=(\\d+);.*", "$1"));
      }
      List<CompletableFuture<HttpResponse<Void>>> puts = new ArrayList<>();
      for (int put = 0; put < 2; put++) {
        var body = HttpRequest.BodyPublishers.ofByteArray(new byte[Math.toIntExact(bytesMax)]);
        var request = HttpRequest.newBuilder(client.entry("large" + put)).PUT(body).build();
        puts.add(client.http().sendAsync(request, BodyHandlers.discarding()));
      }
      for (CompletableFuture<HttpResponse<Void>> put : puts) {
        assertThat(put.get().statusCode()).isEqualTo(204);
      }
    }
  }

  /// The length of a value comes before the value: the connection ends then, with an answer that
  /// states why, before memory is taken for it. Other connections and the entries stay as they
  /// were.
  @Test
  void whatHotRodHasNoCapacityForEndsItsConnectionAlone() throws Exception {
    try (Node node = Serving.node(data);
        RemoteCacheManager other = Clients.hotRod(node.port())) {
      var cache = Clients.bytes(other);
      cache.put("there".getBytes(UTF_8), new byte[] {1});
      long bytesMax = Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 8);
      try (Socket socket = new Socket(Clients.HOST, node.port())) {
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(putOfHotRod(bytesMax + 1));
        byte[] answer = socket.getInputStream().readAllBytes();
        // Magic, the number of the request, an error, of a request that cannot be read.
        assertThat(answer).startsWith(0xa1, 1, 0x50, 0x84);
        assertThat(new String(answer, ISO_8859_1)).contains(", max=" + bytesMax + "; ");
      }
      assertThat(cache.get("large".getBytes(UTF_8))).isNull();
      assertThat(cache.get("there".getBytes(UTF_8))).containsExactly(1);
      assertThat(cache.size()).isEqualTo(1);
    }
  }

  /// The same client is answered where the value may be so long: it is the length that it ends by.
  @Test
  void hotRodTakesAValueOfALengthThatItHasCapacityFor() throws Exception {
    try (Node node = Serving.node(data);
        Socket socket = new Socket(Clients.HOST, node.port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(putOfHotRod(3));
      socket.getOutputStream().write("abc".getBytes(ISO_8859_1));
      // Magic, the number of the request, put, done.
      assertThat(socket.getInputStream().readNBytes(4)).containsExactly(0xa1, 1, 2, 0);
      try (Rest client = Rest.of(node.port())) {
        assertThat(client.get("large").body()).isEqualTo("abc");
      }
    }
  }

  /// A put up to the length of its value.
  private static byte[] putOfHotRod(long length) throws IOException {
    var put = new ByteArrayOutputStream();
    // Magic, request 1, version 4.1, put, a cache, no flags, basic client, no topology, no
    // media types, no parameters.
    put.write(
        "\u00a0\u0001\u0029\u0001\u0007default\0\u0001\0\0\0\0\u0005large\u0077"
            .getBytes(ISO_8859_1));
    long rest = length;
    for (; rest > 0x7f; rest >>>= 7) {
      put.write((int) (rest & 0x7f) | 0x80);
    }
    put.write((int) rest);
    return put.toByteArray();
  }

  /// By an answer, or by the end of a connection whose client is still sending.
  private static boolean refused(Rest client) throws InterruptedException {
    try {
      return client.put("large", "x".repeat(1 << 20)) == 413;
    } catch (IOException e) {
      return true;
    }
  }
}
