package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.StoreFailedException;
import io.varve.StoreFullException;
import io.varve.grid.items.ItemStore;
import io.varve.grid.items.ItemStoreConfiguration;
import io.varve.grid.node.Node;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.infinispan.manager.EmbeddedCacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// HEALTH-2: the health of a node whose items refuse changes.
@Timeout(120)
class ItemsHealthTest {
  private static final String ITEM = "/rest/v2/varve/items/health/a";

  @TempDir Path data;

  private static ItemStore items(EmbeddedCacheManager caches) {
    return caches.getCacheManagerConfiguration().module(ItemStoreConfiguration.class).store();
  }

  private static ItemStore.Gate failing(Supplier<RuntimeException> failure) {
    return new ItemStore.Gate() {
      @Override
      public <T> T pass(Supplier<T> change) {
        throw failure.get();
      }
    };
  }

  private static RawHttp.Answer send(Node node, String line) throws IOException {
    return new RawHttp(node.port())
        .send(line, "1", "Host: localhost", "Content-Type: application/json");
  }

  private static String status(Node node) throws IOException {
    return send(node, "GET /rest/v2/container/health/status").text().replaceAll("(?s).*\r\n", "");
  }

  @Test
  void aStoreThatRefusesChangesIsInTheHealth() throws Exception {
    try (Node node = Serving.node(data, "--durability", "BACKGROUND")) {
      ItemStore items = items(node.caches());
      assertThat(send(node, "PUT " + ITEM).status()).isEqualTo(201);
      assertThat(status(node)).isEqualTo("HEALTHY");
      assertThat(send(node, "GET /rest/v2/container/health").text()).doesNotContain("items_health");

      items.changesPass(failing(() -> new StoreFullException("no capacity")));
      assertThat(send(node, "PUT " + ITEM).status()).isEqualTo(507);
      assertThat(status(node)).isEqualTo("DEGRADED");

      items.changesPass(failing(() -> new StoreFailedException("the log has failed")));
      RawHttp.Answer failed = send(node, "PUT " + ITEM);
      assertThat(failed.status()).isEqualTo(503);
      assertThat(failed.text()).contains("the log has failed", "started again");
      assertThat(status(node)).isEqualTo("FAILED");
      assertThat(send(node, "GET /rest/v2/container/health").text())
          .contains("\"health_status\":\"FAILED\"", "\"items_health\":{\"status\":\"FAILED\"}")
          .contains("{\"status\":\"HEALTHY\",\"cache_name\":\"default\"}");
      assertThat(send(node, "GET " + ITEM).status()).isEqualTo(200);
    }
  }
}
