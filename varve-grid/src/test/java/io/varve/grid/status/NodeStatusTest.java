package io.varve.grid.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a node reports of its start, by a clock of the test, and what probes are answered.
@Timeout(120)
class NodeStatusTest {
  private final AtomicLong clock = new AtomicLong();
  private final NodeStatus status = new NodeStatus(clock::get);

  /// So that what holds a thread holds it for longer than the test waits.
  @BeforeAll
  static void requestsMayTakeMinutes() {
    System.setProperty("sun.net.httpserver.maxReqTime", "300");
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  @ParameterizedTest
  @EnumSource
  void aPhaseThatMovesByItselfIsStuckWithoutProgress(Phase phase) {
    status.enter(phase, Map.of("entries", 1));
    pass(NodeStatus.STUCK_AFTER.minusSeconds(1));
    assertThat(status.isAlive()).isTrue();
    status.enter(phase, Map.of("entries", 2));
    pass(NodeStatus.STUCK_AFTER.minusSeconds(1));
    assertThat(status.isAlive()).isTrue();
    status.enter(phase, Map.of("entries", 2)); // The same: no progress.
    pass(Duration.ofSeconds(1));
    boolean mayWait =
        List.of(Phase.WAITING, Phase.READY, Phase.STOPPING)
            .contains(phase); // for others, or for good
    assertThat(status.snapshot().isStuck()).isEqualTo(!mayWait);
    assertThat(status.isAlive()).isEqualTo(mayWait);
  }

  @Test
  void aNodeWhoseThreadsTakeNoWorkIsNeitherReadyNorAlive() {
    var working = new AtomicBoolean(true);
    assertThat(status.isReady()).isFalse();
    status.ready(working::get);
    assertThat(status.isReady()).isTrue();
    working.set(false);
    assertThat(status.isReady()).isFalse();
    assertThat(status.isAlive()).isFalse();
    status.enter(Phase.STOPPING, Map.of());
    assertThat(status.isReady()).isFalse();
    assertThat(status.isAlive()).isTrue();
  }

  @Test
  void aPhaseIsWrittenWithItsFigures() {
    pass(Duration.ofMillis(1_500));
    status.enter(Phase.WAITING, Map.of("members", 1));
    assertThat(status.snapshot()).hasToString("phase=waiting, elapsed=1.5 s, members=1");
  }

  @Test
  void probesAreAnsweredOverHttp() throws Exception {
    try (StatusPort port = StatusPort.open("127.0.0.1", 0, status);
        HttpClient client = HttpClient.newHttpClient()) {
      assertThat(get(client, port, "/live").statusCode()).isEqualTo(200);
      assertThat(get(client, port, "/ready").statusCode()).isEqualTo(503);
      pass(Duration.ofSeconds(2));
      status.enter(Phase.TRANSFERRING, Map.of("entries", 7, "caches", List.of("secret")));
      assertThat(get(client, port, "/status").body())
          .contains("\"phase\":\"transferring\"", "\"entries\":7", "\"seconds\":2")
          .doesNotContain("secret");
      pass(NodeStatus.STUCK_AFTER);
      assertThat(get(client, port, "/live").statusCode()).isEqualTo(503);
      assertThat(get(client, port, "/status").body()).contains("\"stuck\":true");
      status.ready(() -> true);
      assertThat(get(client, port, "/ready").statusCode()).isEqualTo(200);
      assertThat(get(client, port, "/rest/v2/caches").statusCode()).isEqualTo(404);
      var put =
          HttpRequest.newBuilder(uri(port, "/live")).PUT(BodyPublishers.ofString("x")).build();
      assertThat(client.send(put, BodyHandlers.discarding()).statusCode()).isEqualTo(405);
    }
  }

  /// The fault: a dozen of requests that never end held the threads.
  @Test
  void requestsThatDoNotEndHoldUpNoOther() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try (StatusPort port = StatusPort.open("127.0.0.1", 0, status);
        HttpClient client = HttpClient.newHttpClient()) {
      for (int i = 0; i < 12; i++) {
        Socket socket = new Socket("127.0.0.1", port.port());
        slow.add(socket);
        socket.getOutputStream().write('G');
      }
      var live = HttpRequest.newBuilder(uri(port, "/live")).timeout(Duration.ofSeconds(60)).build();
      for (int i = 0; i < 3; i++) {
        HttpResponse<String> answer = client.send(live, BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Connection")).hasValue("close");
      }
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  private static HttpResponse<String> get(HttpClient client, StatusPort port, String path)
      throws Exception {
    return client.send(HttpRequest.newBuilder(uri(port, path)).build(), BodyHandlers.ofString());
  }

  private static URI uri(StatusPort port, String path) {
    return URI.create("http://127.0.0.1:" + port.port() + path);
  }
}
