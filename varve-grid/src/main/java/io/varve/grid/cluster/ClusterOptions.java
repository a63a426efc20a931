package io.varve.grid.cluster;

import io.varve.grid.member.NodeSockets;
import io.varve.grid.node.CacheContainer;
import io.varve.grid.node.ConfigurationLayer;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeConfiguration;
import io.varve.grid.node.NodeException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What a user sets for the cluster that a node is of, as options of `serve`.
public final class ClusterOptions {
  /// How long a start waits for the nodes of `--wait-for`, before it fails.
  private static final int WAIT_MILLIS_MAX = 60_000;

  /// With one, Infinispan does not refuse what a node that is away may have, and answers wrongly.
  private static final int OWNERS_MIN = 2;

  private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::", "[::]");

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      order = 30,
      description = "Join the cluster of this name, or begin it. Without, the node is alone.")
  @Nullable String name;

  @Option(
      names = "--discovery",
      paramLabel = "PLACE",
      order = 31,
      defaultValue = "hosts:127.0.0.1",
      description =
          "Where other nodes are found: hosts:ADDRESS,ADDRESS with or without ports,"
              + " file:DIR that all nodes share, or dns:NAME. Default: ${DEFAULT-VALUE}.")
  String discovery;

  @Option(
      names = "--cluster-bind",
      paramLabel = "ADDRESS",
      order = 32,
      description = {
        "Address that other nodes reach this one at. Default: that of --bind where only this",
        "machine reaches it; at any other, one is to be named."
      })
  @Nullable String address;

  @Option(
      names = "--cluster-port",
      paramLabel = "PORT",
      order = 33,
      defaultValue = "7800",
      description = "Port for other nodes; one higher by 50000 as well. Default: ${DEFAULT-VALUE}.")
  int port;

  @Option(
      names = "--owners",
      paramLabel = "COUNT",
      order = 34,
      defaultValue = "2",
      description = "Nodes that keep each entry, 2 or more. Default: ${DEFAULT-VALUE}.")
  int owners;

  @Option(
      names = "--wait-for",
      paramLabel = "COUNT",
      order = 35,
      defaultValue = "1",
      description = {
        "Serve only when so many nodes are there, and fail if they do not come within a",
        "minute: more than half of them keeps new nodes that cannot find each other from",
        "being two clusters. Default: ${DEFAULT-VALUE}."
      })
  int waitFor;

  @Option(
      names = "--failed-after",
      paramLabel = "SECONDS",
      order = 36,
      defaultValue = "8",
      description = {
        "Silence after which a node counts as failed, if it then does not answer for 3 s",
        "more. Longer than any pause of the machines. Default: ${DEFAULT-VALUE}."
      })
  int failedAfter;

  @Option(
      names = "--transfer-within",
      paramLabel = "MINUTES",
      order = 37,
      defaultValue = "60",
      description = {
        "Time in which a node that starts has its share of the entries, or the nodes that",
        "it waits for. Default: ${DEFAULT-VALUE}."
      })
  int transferWithin;

  @Option(
      names = "--cluster-keystore",
      paramLabel = "FILE",
      order = 38,
      description = {
        "Key and certificate that all nodes have in common, PKCS12 or JKS: they encrypt what",
        "they send each other, and accept no node that has another."
      })
  @Nullable Path keystore;

  @Option(
      names = "--cluster-password-file",
      paramLabel = "FILE",
      order = 39,
      description = "File whose first line is the password of --cluster-keystore.")
  @Nullable Path passwordFile;

  @Option(
      names = "--no-cluster-tls",
      order = 40,
      description =
          "Let nodes that have users talk to each other unencrypted, on a closed network.")
  boolean noTls;

  /// Made by picocli.
  public ClusterOptions() {}

  /// The caches of the node: those of a cluster if one is named, or else its own.
  ///
  /// @param bindAddress where clients reach the node
  /// @param users whether the node asks clients for a name
  /// @throws NodeException if the options make no sense
  public CacheContainer container(String bindAddress, boolean users) {
    if (name == null) {
      return CacheContainer.local();
    }
    if (owners < OWNERS_MIN) {
      throw new NodeException(
          "a cluster keeps each entry on two nodes or more, or it would lose them with one: owners="
              + owners
              + "; say more by --owners, or leave --cluster out");
    }
    Discovery where;
    try {
      where = Discovery.parse(discovery);
    } catch (IllegalArgumentException e) {
      throw new NodeException(String.valueOf(e.getMessage()), e);
    }
    if (address == null && !isLoopback(bindAddress)) {
      throw new NodeException(
          "the node would talk to other nodes at the address of its clients: address="
              + bindAddress
              + "; name by --cluster-bind the address of this machine that is for other nodes, or"
              + " the same one where there is no other");
    }
    String clusterAddress = address == null ? bindAddress : address;
    if (WILDCARDS.contains(clusterAddress)) {
      throw new NodeException(
          "other nodes cannot reach an address that means all: address="
              + clusterAddress
              + "; name one of this machine by --cluster-bind");
    }
    Map<String, String> properties = new HashMap<>(encryption(clusterAddress, users));
    properties.put("varve.cluster.name", name);
    properties.put("varve.cluster.address", clusterAddress);
    properties.put("varve.cluster.port", Integer.toString(port));
    properties.put("varve.cluster.discovery", where.kind().label());
    properties.put("varve.cluster.place", where.place(port));
    properties.put("varve.cluster.owners", Integer.toString(owners));
    properties.put("varve.cluster.failed-after", failedAfter + "s");
    properties.put("varve.cluster.transfer-within", transferWithin + "m");
    properties.put("varve.cluster.wait-for", Integer.toString(waitFor));
    properties.put("varve.cluster.wait-millis", Integer.toString(WAIT_MILLIS_MAX));
    return new CacheContainer(
        ConfigurationLayer.resource(ClusterOptions.class, "caches-cluster.xml"), properties);
  }

  /// How nodes talk to each other. Those that ask clients for a name ask each other for a key.
  private Map<String, String> encryption(String clusterAddress, boolean users) {
    if ((keystore == null) != (passwordFile == null)) {
      throw new NodeException("--cluster-keystore and --cluster-password-file go together");
    }
    if (keystore != null && passwordFile != null) {
      try {
        String password = NodeSockets.password(passwordFile);
        NodeSockets.sockets(keystore, password); // Now, so that what is wrong is said immediately.
        return Map.of(
            NodeSockets.KEYSTORE,
            keystore.toAbsolutePath().toString(),
            NodeSockets.PASSWORD,
            password);
      } catch (IllegalArgumentException e) {
        throw new NodeException(String.valueOf(e.getMessage()), e);
      }
    }
    if (users && !noTls && !isLoopback(clusterAddress)) {
      throw new NodeException(
          "the node has users, and clients of its port for other nodes would need none:"
              + " address="
              + clusterAddress
              + "; give all nodes one key by --cluster-keystore, or say --no-cluster-tls where that"
              + " network is closed to others");
    }
    return Map.of();
  }

  private static boolean isLoopback(String address) {
    try {
      return InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new NodeException(
          "no such address: address=" + address + "; name another by --cluster-bind", e);
    }
  }

  /// Starts a node with the caches of [#container].
  ///
  /// @throws NodeException if it cannot start, with the reason and what to do
  public Node start(NodeConfiguration configuration) {
    return name == null
        ? Node.start(configuration)
        : ClusterStart.start(configuration, waitFor, Duration.ofMinutes(transferWithin));
  }
}
