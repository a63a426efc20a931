package io.varve.infinispan;

import java.nio.file.Path;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;

/// What makes managers of this process find each other over the loopback, and no others.
public final class LoopbackCluster {
  private LoopbackCluster() {}

  /// The configuration of a node, to be added to.
  ///
  /// @param directory a directory that the test has for itself, which names the cluster
  /// @param name of the node
  public static GlobalConfigurationBuilder node(Path directory, String name) {
    System.setProperty("varve.test.cluster", directory.resolve("members").toString());
    GlobalConfigurationBuilder global = GlobalConfigurationBuilder.defaultClusteredBuilder();
    global
        .transport()
        .clusterName(directory.getFileName().toString())
        .nodeName(name)
        .addProperty("configurationFile", "cluster.xml");
    return global;
  }
}
