package io.varve.grid.cluster;

import io.varve.grid.Required;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/// Machines on two networks, as network namespaces of this one: by the first they serve clients, of
/// which this process is one, by the second they talk to each other. Links of the second can be cut
/// so that packets vanish, as with a switch that fails: no connection is closed by that. A link can
/// be cut in one direction alone.
///
/// Making namespaces takes Linux, the rights of root and iproute2 ([Required]).
final class ClusterNetwork implements AutoCloseable {
  /// Networks that may be there at a time, each of a process with tests.
  private static final int NETWORKS_MAX = 200;

  private static final int ATTEMPTS_MAX = 5;

  /// Undone in reverse.
  private final List<List<String>> undo = new ArrayList<>();

  /// The machines that do not hear another, once for each that they do not hear.
  private final List<Integer> cuts = new ArrayList<>();

  private final int number;
  private final int nodes;

  private ClusterNetwork(int number, int nodes) {
    this.number = number;
    this.nodes = nodes;
  }

  /// Makes a network of some machines, all of whose links work.
  static ClusterNetwork open(int nodes) throws IOException {
    int first = Math.toIntExact(ProcessHandle.current().pid() % NETWORKS_MAX);
    String reason = "";
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      var network = new ClusterNetwork((first + attempt) % NETWORKS_MAX, nodes);
      try {
        network.namespace(0); // Fails if another process has this number, or left its network.
      } catch (IOException e) {
        reason = String.valueOf(e.getMessage());
        continue;
      }
      try {
        network.build();
        return network;
      } catch (IOException e) {
        network.close();
        throw e;
      }
    }
    Required.require(
        false,
        "no network namespaces can be made: that takes Linux, root and iproute2, reason=" + reason);
    throw new IllegalStateException(reason);
  }

  private void build() throws IOException {
    for (int node = 1; node < nodes; node++) {
      namespace(node);
    }
    bridge(clientBridge());
    Commands.run("ip", "address", "add", prefix(18) + ".254/24", "dev", clientBridge());
    for (int side = 0; side < nodes; side++) {
      bridge(clusterBridge(side));
    }
    for (int node = 0; node < nodes; node++) {
      // Cuts come before the table of local addresses, which is the first of all by default.
      rule(node, "add", "pref", "2", "lookup", "local");
      rule(node, "delete", "pref", "0");
      link(node, "c", "client", clientAddress(node), clientBridge());
      link(node, "n", "cluster", clusterAddress(node), clusterBridge(0));
    }
  }

  private void namespace(int node) throws IOException {
    Commands.run("ip", "netns", "add", namespaceName(node));
    undo.add(List.of("ip", "netns", "delete", namespaceName(node)));
    Commands.run("ip", "-n", namespaceName(node), "link", "set", "lo", "up");
  }

  private void bridge(String name) throws IOException {
    Commands.run("ip", "link", "add", name, "type", "bridge");
    undo.add(List.of("ip", "link", "delete", name));
    Commands.run("ip", "link", "set", name, "up");
  }

  private void link(int node, String kind, String inside, String address, String bridge)
      throws IOException {
    String outside = port(node, kind);
    String namespace = namespaceName(node);
    Commands.run(
        "ip", "link", "add", outside, "type", "veth", "peer", "name", inside, "netns", namespace);
    undo.add(List.of("ip", "link", "delete", outside));
    Commands.run("ip", "-n", namespace, "address", "add", address + "/24", "dev", inside);
    Commands.run("ip", "-n", namespace, "link", "set", inside, "up");
    Commands.run("ip", "link", "set", outside, "master", bridge, "up");
  }

  /// Lets machines of one side reach each other, and no others. A machine that is on no side named
  /// reaches no other.
  void split(List<List<Integer>> sides) throws IOException {
    for (int node = 0; node < nodes; node++) {
      // One bridge for each side, and of those that are left over one for each machine.
      int side = node;
      for (List<Integer> together : sides) {
        if (together.contains(node)) {
          side = Collections.min(together);
        }
      }
      Commands.run("ip", "link", "set", port(node, "n"), "master", clusterBridge(side));
    }
  }

  private void rule(int node, String... rule) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip", "-n", namespaceName(node), "rule"));
    command.addAll(List.of(rule));
    Commands.run(command.toArray(String[]::new));
  }

  /// Has a machine hear nothing more of another, which still hears it.
  void cutOneWay(int from, int to) throws IOException {
    rule(to, "add", "pref", "1", "from", clusterAddress(from), "blackhole");
    cuts.add(to);
  }

  /// Lets all reach all again.
  void repair() throws IOException {
    for (int node : cuts) {
      rule(node, "delete", "pref", "1");
    }
    cuts.clear();
    for (int node = 0; node < nodes; node++) {
      Commands.run("ip", "link", "set", port(node, "n"), "master", clusterBridge(0));
    }
  }

  /// How many bytes a machine was sent by others so far.
  long receivedBytes(int node) throws IOException {
    Path count = Path.of("/sys/class/net", port(node, "n"), "statistics", "tx_bytes");
    return Long.parseLong(Files.readString(count).strip());
  }

  /// What a command begins with that runs on a machine.
  Collection<String> on(int node) {
    return List.of("ip", "netns", "exec", namespaceName(node));
  }

  /// Where clients reach a machine.
  String clientAddress(int node) {
    return prefix(18) + "." + (node + 1);
  }

  /// Where machines reach a machine.
  String clusterAddress(int node) {
    return prefix(19) + "." + (node + 1);
  }

  /// From 198.18.0.0/15, which is set apart for tests of networks (RFC 2544).
  private String prefix(int second) {
    return "198." + second + "." + number;
  }

  private String namespaceName(int node) {
    return "varve-" + number + "-" + node;
  }

  private String clientBridge() {
    return "vv" + number + "c";
  }

  private String clusterBridge(int side) {
    return "vv" + number + "n" + side;
  }

  private String port(int node, String kind) {
    return "vv" + number + kind + "p" + node;
  }

  @Override
  public void close() {
    for (List<String> command : undo.reversed()) {
      Commands.runQuietly(command);
    }
    undo.clear();
  }
}
