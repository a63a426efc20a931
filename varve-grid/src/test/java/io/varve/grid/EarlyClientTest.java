package io.varve.grid;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.grid.guard.connection.Limits;
import io.varve.grid.node.CacheContainer;
import io.varve.grid.node.Node;
import io.varve.grid.node.Node.StartWatch;
import io.varve.grid.node.NodeConfiguration;
import io.varve.grid.node.NodeException;
import io.varve.grid.security.Protection;
import io.varve.grid.status.NodeStatus;
import io.varve.grid.status.Phase;
import io.varve.grid.status.StatusPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.infinispan.manager.EmbeddedCacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients that have the address of a node, and ask before its caches run.
@Timeout(300)
class EarlyClientTest {
  /// Lets clients wait for a start that a busy machine holds up.
  private static final Limits PATIENT =
      new Limits(
          Set.of("localhost"),
          1 << 20,
          100,
          100,
          0,
          Duration.ofMinutes(1),
          Duration.ofMinutes(1),
          Duration.ZERO);

  @TempDir Path data;

  @Test
  void nobodyIsServedBeforeTheCachesRun() throws Exception {
    int port = Integer.parseInt(Serving.freePort());
    var early = new AtomicInteger();
    var watch =
        new StartWatch() {
          /// The port is closed, or a client that connects is sent away.
          @Override
          public void starting(EmbeddedCacheManager caches) {
            ask();
          }

          @Override
          public void started(Node node) {
            ask();
          }

          private void ask() {
            try {
              early.addAndGet(status());
            } catch (IOException e) {
              // As it should be.
            }
          }

          private int status() throws IOException {
            return new RawHttp(port)
                .send("GET /rest/v2/caches/default/early", "", "Host: localhost")
                .status();
          }
        };
    try (Node node = Node.start(configuration(port), watch)) {
      assertThat(early).hasValue(0);
      var http = new RawHttp(node.port());
      assertThat(http.send("GET /rest/v2/caches/default/early", "", "Host: localhost").status())
          .isEqualTo(404);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A client that is notified of a node just before that lets clients in need not come again.
  /// Clients of Hot Rod whose connection ends while it is made never answer again.
  @Test
  void whoComesJustBeforeTheDoorOpensIsServed() throws Exception {
    int port = Integer.parseInt(Serving.freePort());
    try (var early = new Socket()) {
      early.setSoTimeout(60_000);
      var watch =
          new Watch() {
            @Override
            void look() {}

            @Override
            public void started(Node node) {
              try {
                early.connect(new InetSocketAddress(Clients.HOST, port));
                early
                    .getOutputStream()
                    .write(
                        "GET /rest/v2/caches/default/early HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\n\r\n"
                            .getBytes(US_ASCII));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          };
      try (Node _ = Node.start(configuration(port, new NodeStatus(), PATIENT), watch)) {
        byte[] answer = early.getInputStream().readAllBytes();
        assertThat(new String(answer, US_ASCII)).startsWith("HTTP/1.1 404");
      }
    }
  }

  /// Probes learn how far a start is, at a port that serves no client, before any client is served.
  @Test
  void probesAreAnsweredWhileTheNodeStarts() throws Exception {
    int port = Integer.parseInt(Serving.freePort());
    var status = new NodeStatus();
    Map<String, Integer> early = new ConcurrentHashMap<>();
    Set<Phase> phases = EnumSet.of(status.snapshot().phase());
    try (StatusPort probes = StatusPort.open(Clients.HOST, 0, status)) {
      var http = new RawHttp(probes.port());
      var watch =
          new Watch() {
            @Override
            void look() throws IOException {
              phases.add(status.snapshot().phase());
              for (String path : List.of("/live", "/ready", "/status")) {
                early.merge(path, status(http, path), Math::max);
              }
            }
          };
      try (Node _ = Node.start(configuration(port, status), watch)) {
        assertThat(early).isEqualTo(Map.of("/live", 200, "/ready", 503, "/status", 200));
        assertThat(phases).doesNotContain(Phase.READY, Phase.STOPPING);
        assertThat(status(http, "/ready")).isEqualTo(200);
        assertThat(status(http, "/live")).isEqualTo(200);
      }
      assertThat(status(http, "/ready")).isEqualTo(503);
      assertThat(status.snapshot().phase()).isEqualTo(Phase.STOPPING);
    }
  }

  /// A start of which nothing moves ends, and reports where it was.
  @Test
  void aStartThatIsStuckEnds() {
    var clock = new AtomicLong();
    var status = new NodeStatus(clock::get);
    var watch =
        new Watch() {
          @Override
          void look() {
            clock.addAndGet(NodeStatus.STUCK_AFTER.toNanos());
          }
        };
    assertThatThrownBy(
            () -> Node.start(configuration(Integer.parseInt(Serving.freePort()), status), watch))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("the start is stuck: phase=");
  }

  private static int status(RawHttp http, String path) throws IOException {
    return http.send("GET " + path, "", "Host: localhost").status();
  }

  /// Looks at a start now and then.
  private abstract static class Watch implements StartWatch {
    abstract void look() throws IOException;

    @Override
    public void starting(EmbeddedCacheManager caches) {
      try {
        look();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void started(Node node) {
      starting(node.caches());
    }
  }

  private NodeConfiguration configuration(int port) {
    return configuration(port, new NodeStatus());
  }

  private NodeConfiguration configuration(int port, NodeStatus status) {
    return configuration(port, status, new ClientOptions().limits(Clients.HOST, 1 << 20));
  }

  private NodeConfiguration configuration(int port, NodeStatus status, Limits limits) {
    var endpoints =
        new Endpoints(
            Clients.HOST,
            port,
            OptionalInt.empty(),
            OptionalInt.empty(),
            1 << 20,
            new Protection(false, null));
    CacheContainer container = CacheContainer.local();
    Map<String, String> properties = new HashMap<>(endpoints.properties());
    properties.put("varve.durability", "PROCESS_CRASH");
    properties.put("varve.entries", "1000");
    properties.put("varve.memory", "1 MiB");
    properties.put("varve.pages", "1 MiB");
    return new NodeConfiguration(
        data, List.of(endpoints.layer(), container.layer()), properties, limits, status);
  }
}
