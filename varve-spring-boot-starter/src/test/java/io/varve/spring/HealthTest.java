package io.varve.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.json.JsonParserFactory;

/// The health of a store as Actuator shows it. By HTTP it is the same in Spring Boot 3 and 4, whose
/// classes for it are different ones.
class HealthTest {
  @TempDir Path directory;

  @Test
  @SuppressWarnings("unchecked") // objects of JSON
  void storeIsUpUntilItDoesNotWork() throws Exception {
    try (var context =
        ShopMain.start(
            "--spring.main.web-application-type=servlet",
            "--server.port=0",
            "--server.tomcat.basedir=" + directory.resolve("tomcat"),
            "--management.endpoint.health.show-details=always",
            "--varve.store.directory=" + directory.resolve("store"))) {
      Store store = context.getBean(Store.class);
      store.space("a").put(new byte[] {1}, new byte[] {2});
      String port = context.getEnvironment().getRequiredProperty("local.server.port");

      HttpResponse<String> up = health(port);
      assertThat(up.statusCode()).isEqualTo(200);
      Map<String, Object> components =
          (Map<String, Object>)
              JsonParserFactory.getJsonParser().parseMap(up.body()).get("components");
      Map<String, Object> varve = (Map<String, Object>) components.get("varve");
      assertThat(varve).containsEntry("status", "UP");
      assertThat((Map<String, Object>) varve.get("details")).containsKeys("commits", "diskBytes");

      store.verify();
      store.close();
      HttpResponse<String> down = health(port);
      assertThat(down.statusCode()).isEqualTo(503);
      assertThat(JsonParserFactory.getJsonParser().parseMap(down.body()))
          .containsEntry("status", "DOWN");
    }
  }

  @Test
  void propertyLeavesOutTheHealth() throws Exception {
    try (var context =
        ShopMain.start(
            "--management.health.varve.enabled=false",
            "--varve.store.directory=" + directory.resolve("store"))) {
      assertThat(context.containsBean("varveHealthIndicator")).isFalse();
      context.getBean(Store.class).verify();
    }
  }

  private static HttpResponse<String> health(String port) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI address = URI.create("http://localhost:" + port + "/actuator/health");
      return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
    }
  }
}
