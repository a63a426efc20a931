package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.control.ControlClient;
import io.varve.grid.Clients.Rest;
import io.varve.grid.node.Node;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node has each figure that the dashboard asks for, with the name of its cluster. It has those
/// of its stores, with what they are of.
@Tag("slow")
@Timeout(300)
class MetricsTest {
  private static final Path DASHBOARD = Path.of("../deploy/grafana-dashboard.json");

  @TempDir Path data;

  @Test
  void theDashboardAsksForWhatThereIs() throws Exception {
    Set<String> asked =
        Pattern.compile("\\b((?:infinispan|jvm|varve)_\\w+)\\s*[{,]")
            .matcher(Files.readString(DASHBOARD))
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(asked).hasSizeGreaterThan(30);
    String cluster = "--cluster=figures";
    var guarded = new Guarded(data);
    try (Node node =
            guarded.node(
                data.resolve("node"), cluster, "--cluster-port=" + Serving.freeClusterPort());
        Rest rest = guarded.rest(node)) {
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
      assertThat(figures(rest))
          .filteredOn(line -> line.startsWith("varve_logins_failed_total{"))
          .hasSize(4) // protocols
          .allMatch(line -> line.endsWith(" 0.0"));
    }
  }

  @Test
  void aStoreHasMetersWhileItIsOpen() throws Exception {
    try (Node node = Serving.node(data);
        Rest rest = Rest.of(node.port())) {
      URI orders = rest.node().resolve("/rest/v2/caches/orders");
      var create =
          HttpRequest.newBuilder(URI.create(orders + "?template=varve"))
              .POST(BodyPublishers.noBody())
              .build();
      for (int life = 1; life <= 2; life++) {
        assertThat(rest.send(create).statusCode()).isEqualTo(200);
        long before = commits(figures(rest), "orders");
        rest.send(
            HttpRequest.newBuilder(URI.create(orders + "/k"))
                .PUT(BodyPublishers.ofString("v"))
                .build());
        await().until(() -> commits(figures(rest), "orders") > before);
        rest.send(HttpRequest.newBuilder(orders).DELETE().build());
        await().until(() -> ofStores(figures(rest), "orders").isEmpty());
      }
      assertThat(ofStores(figures(rest), "default")).isNotEmpty();
      List<ControlClient> held = held();
      assertThat(held).isNotEmpty();
      for (ControlClient store : held) {
        assertThat(store.statistics().processId()).isEqualTo(ProcessHandle.current().pid());
      }
    }
    assertThat(held()).isEmpty();
  }

  /// The stores that a process holds.
  private List<ControlClient> held() throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(file -> file.endsWith("control"))
          .map(control -> new ControlClient(control.getParent()))
          .toList();
    }
  }

  /// What the nodes of a cluster report of their own stores, and of the cluster together.
  @Test
  void nodesOfAClusterAreDistinguished() throws Exception {
    String[] options = {"--cluster=pair", "--discovery=file:" + data.resolve("members")};
    var guarded = new Guarded(data);
    try (Node first = node(guarded, data.resolve("first"), options);
        Node second = node(guarded, data.resolve("second"), options);
        Rest one = guarded.rest(first);
        Rest other = guarded.rest(second)) {
      long before = commits(figures(one), "default") + commits(figures(other), "default");
      for (int key = 0; key < 10; key++) {
        one.put("k" + key, "v");
      }
      // Each entry is on both nodes, and each node counts what it has committed.
      await()
          .until(() ->
              commits(figures(one), "default") + commits(figures(other), "default") >= before + 20);
      Set<String> nodes = new TreeSet<>(nodes(figures(one)));
      assertThat(nodes).hasSize(1).doesNotContainAnyElementsOf(nodes(figures(other)));
      nodes.addAll(nodes(figures(other)));
      assertThat(nodes).hasSize(2);
      for (Rest rest : List.of(one, other)) {
        await().until(() -> storesOfCluster(rest) >= 10);
      }
    }
  }

  private static Node node(Guarded guarded, Path directory, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("--cluster-port=" + Serving.freeClusterPort());
    return guarded.node(directory, all.toArray(String[]::new));
  }

  private static List<String> ofStores(List<String> figures, String cache) {
    return figures.stream()
        .filter(line -> line.startsWith("varve_"))
        .filter(line -> line.contains("cache=\"" + cache + "\""))
        .toList();
  }

  /// Commits of the store of a cache, whose labels show where it is.
  private static long commits(List<String> figures, String cache) {
    List<String> found =
        ofStores(figures, cache).stream()
            .filter(line -> line.startsWith("varve_commits_total{"))
            .toList();
    assertThat(found)
        .singleElement()
        .matches(line -> line.contains("store=\"" + cache + "/varve\""));
    return (long) Double.parseDouble(found.getFirst().substring(found.getFirst().indexOf('}') + 1));
  }

  /// The nodes that meters name, which is one for each node, whatever they are of.
  private static Set<String> nodes(List<String> figures) {
    Set<String> nodes = new TreeSet<>();
    for (String line : figures) {
      Matcher node = Pattern.compile("\\bnode=\"([^\"]+)\"").matcher(line);
      if (node.find()) {
        nodes.add(node.group(1));
      } else {
        assertThat(line).doesNotStartWith("varve_");
      }
    }
    return nodes;
  }

  /// Writes of all nodes, as any of them reports.
  private static long storesOfCluster(Rest rest) throws Exception {
    var uri = rest.node().resolve("/rest/v2/caches/default");
    Matcher stores =
        Pattern.compile("\"stores\":(\\d+)")
            .matcher(rest.send(HttpRequest.newBuilder(uri).build()).body());
    assertThat(stores.find()).isTrue();
    return Long.parseLong(stores.group(1));
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
