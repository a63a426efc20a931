package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.infinispan.Cache;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryCreated;
import org.infinispan.notifications.cachelistener.event.CacheEntryCreatedEvent;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// Requests of HTTP that take long, as one for which Infinispan waits where it is called: no other
/// connection waits for them.
@Tag("slow")
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class WaitingRequestTest {
  private static final String ROLES = "org.infinispan.ROLES";

  @TempDir static Path data;

  private static Node node;
  private static HttpClient http;

  @BeforeAll
  static void start() throws Exception {
    new Users(NodeDirectory.configuration(data)).set("alice", "secret", Role.ADMIN);
    node = Serving.node(data, "--tls");
    http =
        HttpClient.newBuilder()
            .sslContext(
                Clients.trusting(NodeDirectory.configuration(data).resolve("self-made.pem")))
            .build();
  }

  @AfterAll
  static void stop() throws IOException {
    http.close();
    node.close();
  }

  private static HttpRequest request(String method, String path) {
    String user = Base64.getEncoder().encodeToString("alice:secret".getBytes(UTF_8));
    return HttpRequest.newBuilder(
            URI.create("https://" + Clients.HOST + ":" + node.port() + "/rest/v2/" + path))
        .method(method, BodyPublishers.ofString(""))
        .header("Authorization", "Basic " + user)
        .build();
  }

  private static int status(String method, String path) throws Exception {
    return http.send(request(method, path), BodyHandlers.discarding()).statusCode();
  }

  /// Holds up writes to a cache.
  @Listener
  public static final class Holding {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @CacheEntryCreated
    public void created(CacheEntryCreatedEvent<?, ?> event) throws InterruptedException {
      if (!event.isPre()) {
        begun.countDown();
        released.await();
      }
    }
  }

  /// A role that is granted is put while its request waits.
  @Test
  void noEventLoopWaitsForARequest() throws Exception {
    Cache<Object, Object> roles = AsItself.call(() -> node.caches().getCache(ROLES));
    var holding = new Holding();
    AsItself.run(() -> roles.addListener(holding));
    CompletableFuture<HttpResponse<Void>> granted =
        http.sendAsync(
            request("PUT", "security/roles/bob?action=grant&role=observer"),
            BodyHandlers.discarding());
    holding.begun.await();
    EventLoopGroup loops =
        AsItself.call(
            () -> GlobalComponentRegistry.of(node.caches()).getComponent(EventLoopGroup.class));
    for (EventExecutor loop : loops) {
      CompletableFuture.runAsync(() -> {}, loop).join();
    }
    assertThat(granted).isNotDone();
    holding.released.countDown();
    assertThat(granted.join().statusCode()).isEqualTo(204);
    AsItself.run(() -> roles.removeListener(holding));
  }

  /// Events are sent on a connection whose request does not end.
  @Test
  void eventsComeWhileTheirRequestContinues() throws Exception {
    try (var events =
        new BufferedReader(
            new InputStreamReader(
                http.send(request("GET", "container?action=listen"), BodyHandlers.ofInputStream())
                    .body(),
                UTF_8))) {
      assertThat(status("POST", "caches/heard?template=varve")).isEqualTo(200);
      String line;
      do {
        line = events.readLine();
      } while (line != null && !line.contains("heard"));
      assertThat(line).isNotNull();
    }
  }

  @Test
  void answersOfManyPartsAreWhole() throws Exception {
    Cache<byte[], byte[]> cache = AsItself.call(() -> node.caches().getCache("default"));
    for (int at = 0; at < 5_000; at++) {
      byte[] key = "key-%05d".formatted(at).getBytes(UTF_8);
      AsItself.run(() -> cache.put(key, key));
    }
    String keys =
        http.send(
                request("GET", "caches/default?action=keys&limit=-1"), BodyHandlers.ofString(UTF_8))
            .body();
    assertThat(keys.split("key-")).hasSize(5_001);
    assertThat(keys).startsWith("[").endsWith("]");
  }

  /// A client that does not wait for answers knows them by their order. Gets are done before puts,
  /// which wait for the store.
  @Test
  void answersHaveTheOrderOfTheirRequests(@TempDir Path other) throws Exception {
    try (Node open = Serving.node(other);
        Socket socket = new Socket(Clients.HOST, open.port())) {
      socket.setSoTimeout(60_000);
      StringBuilder requests = new StringBuilder();
      for (int at = 0; at < 20; at++) {
        String rest = " /rest/v2/caches/default/k" + at + " HTTP/1.1\r\nHost: localhost\r\n";
        requests.append("PUT").append(rest).append("Content-Length: 1\r\n\r\nx");
        requests.append("GET").append(rest).append(at == 19 ? "Connection: close\r\n" : "");
        requests.append("\r\n");
      }
      socket.getOutputStream().write(requests.toString().getBytes(UTF_8));
      String answers = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertThat(Pattern.compile("HTTP/1.1 (\\d+)").matcher(answers).results())
          .extracting(answer -> answer.group(1))
          .isEqualTo(
              Stream.generate(() -> List.of("204", "200"))
                  .limit(20)
                  .flatMap(List::stream)
                  .toList());
    }
  }
}
