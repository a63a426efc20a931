package io.varve.grid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.grid.guard.connection.AsItself;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeDirectory;
import io.varve.grid.security.Role;
import io.varve.grid.security.Users;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.infinispan.Cache;
import org.infinispan.server.security.KeyStoreUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// A cluster whose first coordinator has gone is shut down as one: all that are left write the same
/// owners, and come back with what they had. The nodes have users and TLS, to each other as well.
@Tag("slow")
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

  @BeforeEach
  void makeKey() throws Exception {
    char[] password = "of nodes".toCharArray();
    Files.writeString(directory.resolve("nodes.password"), "of nodes\n");
    KeyStoreUtils.generateSelfSignedCertificate(
        directory.resolve("nodes.p12").toString(), null, password, password, "nodes", "nodes");
  }

  private Path data(int number) {
    return directory.resolve("node-" + number);
  }

  private Node start(int number) throws IOException {
    new Users(NodeDirectory.configuration(data(number))).set("alice", "secret", Role.ADMIN);
    Node node =
        Serving.node(
            data(number),
            "--tls",
            "--cluster-keystore=" + directory.resolve("nodes.p12"),
            "--cluster-password-file=" + directory.resolve("nodes.password"),
            "--cluster=shutdown",
            "--discovery=file:" + directory.resolve("members"),
            "--cluster-port=" + ports.get(number));
    nodes.add(node);
    return node;
  }

  private int post(int number, String path) throws Exception {
    Path certificate = NodeDirectory.configuration(data(number)).resolve("self-made.pem");
    try (HttpClient client =
        HttpClient.newBuilder().sslContext(Clients.trusting(certificate)).build()) {
      URI uri = URI.create("https://localhost:" + nodes.getLast().port() + path);
      String user = Base64.getEncoder().encodeToString("alice:secret".getBytes(UTF_8));
      var request =
          HttpRequest.newBuilder(uri)
              .header("Authorization", "Basic " + user)
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
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
    AsItself.run(() -> cache(nodes.getFirst()).put(new byte[] {1}, new byte[1]));

    assertThat(post(NODES - 1, "/rest/v2/cluster?action=stop")).isBetween(200, 299);
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
    assertThat(AsItself.call(() -> cache(third).size())).isEqualTo(1);
  }

  /// The default cache, as the node itself has it.
  private static Cache<byte[], byte[]> cache(Node node) {
    return node.caches().getCache("default");
  }
}
