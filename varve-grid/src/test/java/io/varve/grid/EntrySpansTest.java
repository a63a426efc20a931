package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.CacheContainer;
import io.varve.grid.node.Node;
import io.varve.grid.node.Node.StartWatch;
import io.varve.grid.node.NodeConfiguration;
import io.varve.grid.security.Protection;
import io.varve.grid.status.NodeStatus;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.telemetry.InfinispanSpan;
import org.infinispan.telemetry.InfinispanSpanAttributes;
import org.infinispan.telemetry.InfinispanSpanContext;
import org.infinispan.telemetry.InfinispanTelemetry;
import org.infinispan.telemetry.SafeAutoClosable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The spans of tracing that requests for entries have.
@Timeout(120)
class EntrySpansTest {
  private final List<String> spans = new CopyOnWriteArrayList<>();

  @TempDir Path data;

  /// Notes each span that begins, is made current, fails and ends.
  private final class Noted implements InfinispanTelemetry {
    @Override
    public <T> InfinispanSpan<T> startTraceRequest(
        String operation, InfinispanSpanAttributes attributes) {
      return new Span<>();
    }

    @Override
    public <T> InfinispanSpan<T> startTraceRequest(
        String operation, InfinispanSpanAttributes attributes, InfinispanSpanContext context) {
      spans.add(operation);
      return new Span<>();
    }

    @Override
    public void setNodeName(String name) {}
  }

  private final class Span<T> implements InfinispanSpan<T> {
    @Override
    public SafeAutoClosable makeCurrent() {
      spans.add("current");
      return () -> spans.add("current no more");
    }

    @Override
    public void complete() {
      spans.add("ended");
    }

    @Override
    public void recordException(Throwable failure) {
      spans.add("failed");
    }
  }

  private NodeConfiguration configuration() {
    int port = Integer.parseInt(Serving.freePort());
    var none = OptionalInt.empty();
    var endpoints =
        new Endpoints(Clients.HOST, port, none, none, 1 << 20, new Protection(false, null));
    Map<String, String> properties = new HashMap<>(endpoints.properties());
    properties.put("varve.durability", "BACKGROUND");
    properties.put("varve.entries", "1000");
    properties.put("varve.memory", "1 MiB");
    properties.put("varve.pages", "1 MiB");
    return new NodeConfiguration(
        data,
        List.of(endpoints.layer(), CacheContainer.local().layer()),
        properties,
        new ClientOptions().limits(Clients.HOST, 1 << 20),
        new NodeStatus());
  }

  /// ENTRYPOST-2. `PUT` had one, and `POST` had none.
  @Test
  void aCreationHasASpan() throws Exception {
    var watch =
        new StartWatch() {
          @Override
          public void started(Node node) {
            GlobalComponentRegistry.componentOf(node.caches(), BasicComponentRegistry.class)
                .replaceComponent(InfinispanTelemetry.class.getName(), new Noted(), false);
          }
        };
    try (Node node = Node.start(configuration(), watch)) {
      var http = new RawHttp(node.port());
      String line = "POST /rest/v2/caches/default/spans";
      for (int status : new int[] {204, 409}) {
        spans.clear();
        assertThat(http.send(line, "a", "Host: localhost").status()).isEqualTo(status);
        assertThat(spans)
            .containsExactlyInAnyOrder("putValueToCache", "current", "current no more", "ended");
      }
    }
  }
}
