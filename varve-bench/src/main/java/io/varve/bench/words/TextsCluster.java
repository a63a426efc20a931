package io.varve.bench.words;

import io.varve.Durability;
import io.varve.bench.engine.InfinispanManager;
import io.varve.infinispan.VarveStoreConfigurationBuilder;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.infinispan.Cache;
import org.infinispan.commons.marshall.JavaSerializationMarshaller;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.parsing.ConfigurationBuilderHolder;

/// One node of a cluster of Infinispan whose nodes, each a process, share texts.
///
/// @param manager of its caches
/// @param cache the texts by their numbers
record TextsCluster(InfinispanManager manager, Cache<Integer, byte[]> cache)
    implements AutoCloseable {
  private static final int OWNERS = 2;

  /// Without this each node notifies of each change of the cluster. Kept: loggers are held weakly.
  private static final Logger LOGGER = Logger.getLogger("org.infinispan");

  static {
    LOGGER.setLevel(Level.WARNING);
  }

  /// Few, so that texts are read from pages.
  private static final int IN_MEMORY = 16;

  /// Joins, and waits until it has its share.
  ///
  /// @param directory of the cluster
  /// @param number of the node
  /// @param stored whether each node keeps its texts in Varve, and else on the heap
  static TextsCluster join(Path directory, int number, boolean stored) {
    System.setProperty("varve.bench.members", directory.resolve("members").toString());
    var all = new ConfigurationBuilderHolder();
    GlobalConfigurationBuilder global = all.getGlobalConfigurationBuilder().clusteredDefault();
    global
        .transport()
        .clusterName(directory.getFileName().toString())
        .nodeName("node" + number)
        .initialClusterSize(number + 1) // or else each might begin a cluster of its own
        .addProperty("configurationFile", "io/varve/bench/words/nodes.xml");
    global
        .serialization()
        .marshaller(new JavaSerializationMarshaller())
        .allowList()
        .addRegexp("^(io\\.varve|java)\\..*");
    var configuration = new ConfigurationBuilder();
    configuration
        .clustering()
        .cacheMode(CacheMode.DIST_SYNC)
        .remoteTimeout(2, TimeUnit.MINUTES)
        .hash()
        .numOwners(OWNERS);
    if (stored) {
      configuration.memory().maxCount(IN_MEMORY);
      configuration
          .persistence()
          .addStore(VarveStoreConfigurationBuilder.class)
          .location(directory.resolve("node" + number).toString())
          .durability(Durability.BACKGROUND);
    }
    var manager = new InfinispanManager(all);
    return new TextsCluster(manager, manager.createCache("texts", configuration.build()));
  }

  @Override
  public void close() {
    manager.close();
  }
}
