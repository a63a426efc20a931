package io.varve.infinispan.mapreduce;

import io.varve.Durability;
import io.varve.infinispan.LoopbackCluster;
import io.varve.infinispan.VarveStoreConfigurationBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.test.TestingUtil;

/// Nodes in this process, clustered over the loopback, each with a directory and a cache of its
/// own.
final class Cluster implements AutoCloseable {
  private static final String CACHE = "texts";

  private final Path directory;
  private final Consumer<ConfigurationBuilder> configuring;
  private final List<DefaultCacheManager> nodes = new ArrayList<>();
  private int made;

  /// @param configuring called for each node, after what all have was set
  Cluster(Path directory, Consumer<ConfigurationBuilder> configuring) {
    this.directory = directory;
    this.configuring = configuring;
  }

  /// A store for the entries of a node, which holds all, while few are in memory.
  static void stored(ConfigurationBuilder configuration, Path directory) {
    configuration.memory().maxCount(50);
    configuration
        .persistence()
        .addStore(VarveStoreConfigurationBuilder.class)
        .location(directory.toString())
        .durability(Durability.BACKGROUND);
  }

  /// Adds a node, and waits until it has its share.
  Cache<Integer, String> add() {
    GlobalConfigurationBuilder global = LoopbackCluster.node(directory, "node" + made);
    global.serialization().allowList().addRegexp("^io\\.varve\\.infinispan\\.mapreduce\\..*");
    global.globalState().enable().persistentLocation(directory.resolve("node" + made).toString());
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration
        .clustering()
        .cacheMode(CacheMode.DIST_SYNC)
        .remoteTimeout(2, TimeUnit.MINUTES)
        .hash()
        .numOwners(2)
        .numSegments(64);
    stored(configuration, directory.resolve("node" + made));
    configuring.accept(configuration);
    made++;
    DefaultCacheManager node = new DefaultCacheManager(global.build());
    nodes.add(node);
    node.defineConfiguration(CACHE, configuration.build());
    Cache<Integer, String> cache = node.getCache(CACHE);
    awaitShares();
    return cache;
  }

  /// Waits until no segment is in flight.
  void awaitShares() {
    TestingUtil.waitForNoRebalance(caches());
  }

  Cache<Integer, String> cache(int node) {
    return nodes.get(node).getCache(CACHE);
  }

  List<Cache<Integer, String>> caches() {
    List<Cache<Integer, String>> caches = new ArrayList<>();
    nodes.forEach(node -> caches.add(node.getCache(CACHE)));
    return caches;
  }

  /// Cuts a node off and lets it go, as if its process had died.
  void crash(int node) {
    TestingUtil.crashCacheManagers(nodes.remove(node));
  }

  /// Stops a node as its user does.
  void stop(int node) {
    nodes.remove(node).stop();
  }

  @Override
  public void close() {
    TestingUtil.killCacheManagers(nodes);
  }
}
