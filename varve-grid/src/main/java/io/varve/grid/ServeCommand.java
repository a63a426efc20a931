package io.varve.grid;

import io.varve.Durability;
import io.varve.grid.node.CacheContainer;
import io.varve.grid.node.ConfigurationLayer;
import io.varve.grid.node.Node;
import io.varve.grid.node.NodeConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
      "  curl -X PUT -d world http://127.0.0.1:11222/rest/v2/caches/default/hello"
    })
final class ServeCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(
      names = {"-d", "--data"},
      paramLabel = "DIR",
      defaultValue = "varve-node",
      description = "Directory of all files of the node. Default: ${DEFAULT-VALUE}.")
  Path data;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "Address to listen at. Default: ${DEFAULT-VALUE}.")
  String bindAddress;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "11222",
      description = "Port to listen at. Default: ${DEFAULT-VALUE}.")
  int port;

  @Option(
      names = "--durability",
      paramLabel = "NAME",
      defaultValue = "POWER_LOSS",
      description =
          "What an answered write survives: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  Durability durability;

  @Option(
      names = "--pages",
      paramLabel = "SIZE",
      defaultValue = "64 MiB",
      description = "Memory for pages, for each cache. Default: ${DEFAULT-VALUE}.")
  String cacheBytes;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A file of Infinispan's configuration to add, with caches of your own.")
  @Nullable Path configurationFile;

  @Override
  public Integer call() {
    Node node = Node.start(configuration());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node), "varve-shutdown"));
    spec.commandLine()
        .getOut()
        .println("varve: ready: http://" + bindAddress + ":" + port + ", data=" + data);
    spec.commandLine().getOut().flush();
    node.awaitStop();
    return 0;
  }

  private static void close(Node node) {
    try {
      node.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private NodeConfiguration configuration() {
    CacheContainer container = CacheContainer.local();
    List<ConfigurationLayer> layers = new ArrayList<>();
    layers.add(ConfigurationLayer.resource(Node.class, "endpoint.xml"));
    layers.add(container.layer());
    if (configurationFile != null) {
      // The last: Infinispan resolves what caches inherit at the end of each file, and gives those
      // of
      // the files before it the stores that they inherit once more.
      layers.add(ConfigurationLayer.file(configurationFile));
    }

    Map<String, String> properties = new HashMap<>(container.properties());
    properties.put("varve.bind-address", bindAddress);
    properties.put("varve.port", Integer.toString(port));
    properties.put("varve.durability", durability.name());
    properties.put("varve.cache-bytes", cacheBytes);
    return new NodeConfiguration(data, layers, properties);
  }
}
