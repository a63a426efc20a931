package io.varve.grid.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.infinispan.server.security.KeyStoreUtils;

/// Some nodes on a network of their own, which know each other's addresses.
final class TestCluster implements AutoCloseable {
  /// No promise hangs on it: machines that build may stop for minutes.
  static final Duration TIME_MAX = Duration.ofMinutes(10);

  private static final boolean USERS =
      Boolean.parseBoolean(System.getProperty("varve.cluster.users", "true"));

  private final ClusterNetwork network;
  private final ClusterAccess access;
  private final List<ClusterNode> nodes = new ArrayList<>();

  private TestCluster(ClusterNetwork network, ClusterAccess access) {
    this.network = network;
    this.access = access;
  }

  /// Starts nodes, and waits until they are one cluster.
  ///
  /// @param directory in which each node has one of its own
  static TestCluster start(int nodes, Path directory, String... options) throws Exception {
    List<Path> directories =
        IntStream.range(0, nodes).mapToObj(node -> directory.resolve("node-" + node)).toList();
    var access = ClusterAccess.of(USERS, directory, directories);
    var cluster = new TestCluster(ClusterNetwork.open(nodes), access);
    try {
      List<String> all = new ArrayList<>(List.of(options));
      // A machine that builds may stop for longer than nodes should.
      if (!all.contains("--failed-after")) {
        all.addAll(List.of("--failed-after", System.getProperty("varve.cluster.silence", "20")));
      }
      all.addAll(List.of("--cluster", "test"));
      all.addAll(nodesKey(directory));
      all.add(
          "--discovery=hosts:"
              + IntStream.range(0, nodes)
                  .mapToObj(cluster.network::clusterAddress)
                  .collect(Collectors.joining(",")));
      all.add("--wait-for=" + (nodes / 2 + 1));
      for (int node = 0; node < nodes; node++) {
        cluster.nodes.add(
            new ClusterNode(cluster.network, node, directories.get(node), access, all));
      }
      cluster.startAll();
      return cluster;
    } catch (Throwable e) {
      cluster.close();
      throw e;
    }
  }

  /// Options by which nodes encrypt what they send each other.
  private static List<String> nodesKey(Path directory) throws Exception {
    Path keystore = directory.resolve("nodes.p12");
    Path passwordFile = directory.resolve("nodes.password");
    char[] password = "of nodes".toCharArray();
    Files.writeString(passwordFile, "of nodes");
    KeyStoreUtils.generateSelfSignedCertificate(
        keystore.toString(), null, password, password, "nodes", "nodes");
    return List.of("--cluster-keystore=" + keystore, "--cluster-password-file=" + passwordFile);
  }

  /// Ends all nodes at one time, as a loss of power does: none sees another go.
  void killAll() throws Exception {
    for (ClusterNode node : nodes) {
      node.pause();
    }
    for (ClusterNode node : nodes) {
      node.kill();
    }
  }

  /// Starts all nodes, and waits until they are one cluster.
  void startAll() throws Exception {
    for (ClusterNode node : nodes) {
      node.start();
    }
    for (ClusterNode node : nodes) {
      node.awaitReady(TIME_MAX);
    }
    awaitHealthy();
  }

  /// Waits until all nodes report that all of them are members, and no entry is in flight.
  void awaitHealthy() throws Exception {
    String members = "\"number_of_nodes\":" + nodes.size() + ",";
    for (ClusterNode node : nodes) {
      awaitHealth(node, "\"health_status\":\"HEALTHY\"", members);
    }
  }

  /// Waits until a node reports some things of the health of its cluster.
  void awaitHealth(ClusterNode node, String... said) throws Exception {
    long deadline = System.nanoTime() + TIME_MAX.toNanos();
    String answer = "";
    while (true) {
      try {
        answer = node.get("/rest/v2/container/health");
        if (List.of(said).stream().allMatch(answer::contains)) {
          return;
        }
      } catch (IOException e) {
        answer = String.valueOf(e.getMessage()); // It is not there yet.
      }
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "no such health: "
                + node
                + ", wanted="
                + List.of(said)
                + ", answer="
                + answer
                + "\n"
                + node.log());
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /// Clients of all nodes, which have begun.
  ClientLoad load(String name, long seed) {
    var load =
        new ClientLoad(nodes.stream().map(ClusterNode::address).toList(), access, name, seed);
    load.start();
    return load;
  }

  ClusterAccess access() {
    return access;
  }

  ClusterNode node(int number) {
    return nodes.get(number);
  }

  /// The numbers of all nodes but one.
  List<Integer> others(int number) {
    return IntStream.range(0, nodes.size()).filter(other -> other != number).boxed().toList();
  }

  List<ClusterNode> nodes() {
    return nodes;
  }

  ClusterNetwork network() {
    return network;
  }

  @Override
  public void close() {
    nodes.forEach(ClusterNode::close);
    network.close();
  }
}
