package io.varve.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.node.Node;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// A cluster whose first coordinator has gone is shut down as one: all who are left write the same
/// owners, and come back with what they had.
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
class ClusterShutdownTest {
  private static final int NODES = 3;

  @TempDir Path directory;
  private final List<Node> nodes = new CopyOnWriteArrayList<>();
  private final List<String> ports = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    for (Node node : nodes) {
      node.close();
    }
  }

  private Path data(int number) {
    return directory.resolve("node-" + number);
  }

  private Node start(int number) {
    Node node =
        Serving.node(
            data(number),
            "--cluster=shutdown",
            "--discovery=file:" + directory.resolve("members"),
            "--cluster-port=" + ports.get(number));
    nodes.add(node);
    return node;
  }

  private static int post(Node node, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + node.port() + path);
      var request = HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.noBody()).build();
      return client.send(request, BodyHandlers.discarding()).statusCode();
    }
  }

  private List<String> owners(int number) throws IOException {
    try (var lines = Files.lines(data(number).resolve("data/default.state"))) {
      return lines
          .filter(line -> line.startsWith("segmentOwner") || line.startsWith("member"))
          .sorted()
          .toList();
    }
  }

  @Test
  void whoTookOverShutsAllDown() throws Exception {
    for (int number = 0; number < NODES; number++) {
      ports.add(Serving.freeClusterPort());
      start(number);
    }
    nodes.removeFirst().close();
    nodes.getFirst().caches().<byte[], byte[]>getCache("default").put(new byte[] {1}, new byte[1]);

    assertThat(post(nodes.getLast(), "/rest/v2/cluster?action=stop")).isBetween(200, 299);
    nodes.forEach(Node::awaitStop);
    assertThat(owners(1)).contains("members=2").isEqualTo(owners(2));
    for (Node node : List.copyOf(nodes)) {
      nodes.remove(node);
      node.close();
    }

    // At one time: each looks for the other before it begins.
    var second = new FutureTask<>(() -> start(1));
    Thread.ofPlatform().start(second);
    Node third = start(2);
    second.get();
    assertThat(third.caches().<byte[], byte[]>getCache("default")).hasSize(1);
  }
}
