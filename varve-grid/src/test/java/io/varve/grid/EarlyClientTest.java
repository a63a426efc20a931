package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.CacheContainer;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeConfiguration;
import io.varve.grid.node.StartWatch;
import io.varve.grid.security.Protection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.infinispan.manager.EmbeddedCacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients that have the address of a node, and ask before its caches run.
@Timeout(300)
class EarlyClientTest {
  @TempDir Path data;

  @Test
  void nobodyIsServedBeforeTheCachesRun() throws Exception {
    int port = Integer.parseInt(Serving.freePort());
    var early = new AtomicInteger();
    var watch =
        new StartWatch() {
          @Override
          public Map<String, String> opened(Path directory) {
            return Map.of();
          }

          /// The port is closed, or whoever connects is sent away.
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

  private NodeConfiguration configuration(int port) {
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
        data,
        List.of(endpoints.layer(), container.layer()),
        properties,
        new ClientOptions().limits(Clients.HOST, 1 << 20));
  }
}
