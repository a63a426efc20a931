package io.varve.grid;

import io.varve.grid.cluster.ClusterOptions;
import io.varve.grid.guard.connection.LogFilter;
import io.varve.grid.node.CacheContainer;
import io.varve.grid.node.ConfigurationLayer;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeConfiguration;
import io.varve.grid.node.NodeDirectory;
import io.varve.grid.node.NodeException;
import io.varve.grid.node.StopBound;
import io.varve.grid.security.Protection;
import io.varve.grid.security.SecurityOptions;
import io.varve.grid.security.Tls;
import io.varve.grid.status.NodeStatus;
import io.varve.grid.status.StatusPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Runs a node until a signal or a client stops it.
@Command(
    name = "serve",
    description = "Serve caches to clients: Hot Rod, REST, RESP and memcached, on one port.",
    footer = {
      "",
      "Examples:",
      "  varve serve",
      "  curl -X PUT -d world http://127.0.0.1:11222/rest/v2/caches/default/hello",
      "  redis-cli -p 11222 GET hello",
      "  varve user add alice && varve serve --bind 0.0.0.0"
    })
final class ServeCommand implements Callable<Integer> {
  /// The exit code of a process that a signal has ended, as shells have it for SIGTERM, or whose
  /// stop is stuck.
  private static final int ENDED = 143;

  private static final String REFUSES_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

  /// A value is on the heap so often, at most, while it is written: with less memory the node would
  /// run out of memory in the midst of that.
  private static final int VALUE_HEAP_PARTS = 8;

  @Spec CommandSpec spec;

  @Option(
      names = {"-d", "--data"},
      paramLabel = "DIR",
      order = 1,
      defaultValue = NodeDirectory.DEFAULT,
      description = "Directory of all files of the node. Default: ${DEFAULT-VALUE}.")
  Path data;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      order = 2,
      defaultValue = "127.0.0.1",
      description = "Address to listen at. Default: ${DEFAULT-VALUE}.")
  String bindAddress;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      order = 3,
      defaultValue = "11222",
      description = "Port of all protocols; 0 is one that is free. Default: ${DEFAULT-VALUE}.")
  int port;

  @Option(
      names = "--resp-port",
      paramLabel = "PORT",
      order = 4,
      description = "Port of RESP alone, as 6379, for clients that know no other.")
  @Nullable Integer respPort;

  @Option(
      names = "--memcached-port",
      paramLabel = "PORT",
      order = 5,
      description = "Port of memcached alone, as 11211, for clients that know no other.")
  @Nullable Integer memcachedPort;

  @Option(
      names = "--value-max",
      paramLabel = "SIZE",
      order = 6,
      defaultValue = "64 MiB",
      converter = ByteQuantityConverter.class,
      description =
          "The longest request that is read, and so the largest value; an eighth of the heap if"
              + " that is less, since a value is there more than once. Default: ${DEFAULT-VALUE}.")
  long valueBytesMax;

  @Option(
      names = "--status-port",
      paramLabel = "PORT",
      order = 7,
      description =
          "Port of probes alone, open from the begin of a start: GET /live, /ready and"
              + " /status report over HTTP, to any client, how far the node is. Default: none.")
  @Nullable Integer statusPort;

  @Mixin StorageOptions storage;

  @Mixin SecurityOptions security;

  @Mixin ClientOptions clients;

  @Mixin ClusterOptions cluster;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      order = 45,
      description = "A file of Infinispan's configuration to add, with caches of your own.")
  @Nullable Path configurationFile;

  // For the launcher, whose cache of classes is of those that a start needs.
  @Option(names = "--stop-when-ready", hidden = true)
  boolean stopWhenReady;

  private final NodeStatus status = new NodeStatus();

  @Override
  public Integer call() throws IOException {
    NumberRanges.check(spec);
    try (StatusPort _ = openStatusPort()) {
      return serve();
    }
  }

  private int serve() throws IOException {
    LogFilter.install();
    refuseRenegotiation();
    Protection protection = security.protection(data, bindAddress, clients.names);
    warn(protection);
    try (Node node = start(protection)) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(node), "varve-shutdown"));
      returnMemoryOfStart();
      say("ready: " + url(protection, node.port()) + ", data=" + data);
      new FirstCommands(bindAddress, node.port(), protection, data).lines().forEach(this::say);
      if (!stopWhenReady) {
        StopBound.await(node::awaitStop, StopBound.MAX, ServeCommand::end);
      }
    }
    return 0;
  }

  /// Has handshakes that a client of TLS 1.2 begins once more end its connection: each takes far
  /// more work of the node than of the client. The JDK reads this before its first connection with
  /// TLS. A property of the command line goes first.
  private static void refuseRenegotiation() {
    if (System.getProperty(REFUSES_RENEGOTIATION) == null) {
      System.setProperty(REFUSES_RENEGOTIATION, "true");
    }
  }

  private @Nullable StatusPort openStatusPort() {
    if (statusPort == null) {
      return null;
    }
    try {
      return StatusPort.open(bindAddress, statusPort, status);
    } catch (IOException e) {
      throw new NodeException(
          "cannot listen: address="
              + bindAddress
              + ", port="
              + statusPort
              + ", reason="
              + e.getMessage()
              + "; name others by --bind and --status-port",
          e);
    }
  }

  /// Starts the node that the options describe.
  Node start() {
    NumberRanges.check(spec);
    return start(security.protection(data, bindAddress, clients.names));
  }

  private Node start(Protection protection) {
    return cluster.start(configuration(protection));
  }

  /// Has the collector give memory back to the machine. A start leaves some 20 MB on the heap of
  /// some hundred that it has passed through, which a node that is idle would keep; with more on
  /// the heap, as where a cache is preloaded, this takes a second for some GB, once.
  private static void returnMemoryOfStart() {
    System.gc();
  }

  private static void stop(Node node) {
    StopBound.run(() -> close(node), StopBound.MAX, ServeCommand::end);
  }

  private static void end() {
    Runtime.getRuntime().halt(ENDED);
  }

  private static void close(Node node) {
    try {
      node.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String url(Protection protection, int boundPort) {
    String host = bindAddress.contains(":") ? "[" + bindAddress + "]" : bindAddress;
    return (protection.tls() == null ? "http://" : "https://") + host + ":" + boundPort;
  }

  private void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("varve: " + line);
    out.flush();
  }

  private void warn(Protection protection) {
    Tls tls = protection.tls();
    if (tls != null && tls.selfMade()) {
      say(
          "warning: the certificate is made by the node itself, and clients must be set to trust"
              + " it: file="
              + NodeDirectory.configuration(data).resolve("self-made.pem")
              + ", sha256="
              + tls.fingerprint());
    }
    if (tls != null && !tls.unnamed().isEmpty()) {
      say(
          "warning: the certificate was made for other names, and clients that compare them refuse"
              + " these: names="
              + tls.unnamed()
              + "; remove "
              + tls.keystore()
              + " to have another made, which clients must be set to trust");
    }
  }

  private NodeConfiguration configuration(Protection protection) {
    var endpoints =
        new Endpoints(
            bindAddress,
            port,
            optional(respPort),
            optional(memcachedPort),
            boundedValueBytes(),
            protection);
    endpoints.requireFree();
    CacheContainer container = cluster.container(bindAddress, protection.users());
    List<ConfigurationLayer> layers = new ArrayList<>();
    layers.add(endpoints.layer());
    layers.add(container.layer());
    if (configurationFile != null) {
      if (!Files.isReadable(configurationFile)) {
        throw new NodeException("cannot read the configuration: file=" + configurationFile);
      }
      // The last: Infinispan resolves what caches inherit at the end of each file. It gives caches
      // of the files before it the stores that they inherit once more.
      layers.add(ConfigurationLayer.file(configurationFile));
    }

    Map<String, String> properties = new HashMap<>(container.properties());
    properties.putAll(endpoints.properties());
    properties.putAll(storage.properties());
    return new NodeConfiguration(
        data, layers, properties, clients.limits(bindAddress, boundedValueBytes()), status);
  }

  private long boundedValueBytes() {
    return Math.min(valueBytesMax, Runtime.getRuntime().maxMemory() / VALUE_HEAP_PARTS);
  }

  private static OptionalInt optional(@Nullable Integer port) {
    return port == null ? OptionalInt.empty() : OptionalInt.of(port);
  }
}
