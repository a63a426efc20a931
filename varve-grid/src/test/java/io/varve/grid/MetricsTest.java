package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.grid.Clients.Rest;
import io.varve.grid.node.Node;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node has each figure that the dashboard asks for, with the name of its cluster.
@Timeout(300)
class MetricsTest {
  private static final Path DASHBOARD = Path.of("../deploy/grafana-dashboard.json");

  @TempDir Path data;

  @Test
  void theDashboardAsksForWhatThereIs() throws Exception {
    Set<String> asked =
        Pattern.compile("\\b((?:infinispan|jvm)_\\w+)\\s*[{,]")
            .matcher(Files.readString(DASHBOARD))
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(asked).hasSizeGreaterThan(10);
    String cluster = "--cluster=figures";
    try (Node node = Serving.node(data, cluster, "--cluster-port=" + Serving.freeClusterPort());
        Rest rest = Rest.of(node.port())) {
      rest.put("k", "v");
      rest.get("k");
      System.gc(); // The meter of its pauses is there some time after the first.
      await().atMost(Duration.ofSeconds(60)).until(() -> names(figures(rest)).containsAll(asked));
      assertThat(figures(rest))
          .filteredOn(line -> asked.contains(line.split("[{ ]", -1)[0]))
          .allMatch(line -> line.contains("cluster=\"figures\""));
    }
  }

  @Test
  void aNodeAloneIsInNoCluster() throws Exception {
    try (Node node = Serving.node(data);
        Rest rest = Rest.of(node.port())) {
      assertThat(figures(rest))
          .filteredOn(line -> line.startsWith("infinispan_cluster_size"))
          .singleElement()
          .matches(line -> line.contains("cluster=\"none\""));
    }
  }

  private static List<String> figures(Rest rest) throws Exception {
    var uri = rest.node().resolve("/metrics");
    return rest.send(HttpRequest.newBuilder(uri).build())
        .body()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  private static Set<String> names(List<String> figures) {
    return figures.stream().map(line -> line.split("[{ ]", -1)[0]).collect(Collectors.toSet());
  }
}
