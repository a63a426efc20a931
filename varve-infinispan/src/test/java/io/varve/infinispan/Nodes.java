package io.varve.infinispan;

import io.varve.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.internal.PrivateGlobalConfigurationBuilder;
import org.infinispan.distribution.DistributionInfo;
import org.infinispan.distribution.ch.KeyPartitioner;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.manager.PersistenceManager;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.test.TestingUtil;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.MergeView;
import org.jgroups.View;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.util.Digest;
import org.jgroups.util.MutableDigest;
import org.jspecify.annotations.Nullable;

/// Nodes in this process that have a cache with our store in common.
final class Nodes implements AutoCloseable {
  static final String CACHE = "orders";

  /// Segments of which some have any owners that a test may want: the addresses of nodes, and with
  /// them the owners, are random.
  static final int SEGMENTS = 128;

  private static final int TRIED_KEYS_MAX = 10_000;

  private final Path directory;
  private final Consumer<ConfigurationBuilder> configuring;
  private final List<DefaultCacheManager> nodes = new ArrayList<>();
  private Consumer<Cache<?, ?>> opening = _ -> {};
  private boolean server;

  /// @param directory of all files
  /// @param configuring what the cache is in addition to distributed and stored
  Nodes(Path directory, Consumer<ConfigurationBuilder> configuring) {
    this.directory = directory;
    this.configuring = configuring;
  }

  /// Lets nodes that are added be what a server has: it sends writes to backups by another way.
  Nodes asServers() {
    server = true;
    return this;
  }

  /// Lets nodes that are added do something with their cache before its store is opened.
  Nodes opening(Consumer<Cache<?, ?>> action) {
    opening = action;
    return this;
  }

  /// Adds a node, which may not have its share yet.
  Cache<String, String> add() {
    String name = "node" + nodes.size();
    GlobalConfigurationBuilder global = LoopbackCluster.node(directory, name);
    global.addModule(PrivateGlobalConfigurationBuilder.class).serverMode(server);
    global.addModule(StoreListenerConfigurationBuilder.class).add(new Opening(opening));
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration.clustering().cacheMode(CacheMode.DIST_SYNC);
    configuration.clustering().stateTransfer().awaitInitialTransfer(false);
    configuration
        .persistence()
        .addStore(VarveStoreConfigurationBuilder.class)
        .location(directory.resolve(name).toString())
        .durability(Durability.BACKGROUND);
    configuring.accept(configuration);
    DefaultCacheManager node = new DefaultCacheManager(global.build());
    nodes.add(node);
    node.defineConfiguration(CACHE, configuration.build());
    return node.getCache(CACHE);
  }

  private record Opening(Consumer<Cache<?, ?>> action) implements StoreListener {
    @Override
    public void opening(Cache<?, ?> cache) {
      action.accept(cache);
    }

    @Override
    public void opened(OpenStore store) {}

    @Override
    public void closing(OpenStore store) {}
  }

  /// Adds a node whose share comes through a gate.
  Cache<String, String> addWithTransfersThrough(Gate gate) throws Exception {
    rebalance(false);
    Cache<String, String> cache = add();
    ComponentRegistry.componentOf(cache, AsyncInterceptorChain.class).addInterceptor(gate, 0);
    rebalance(true);
    return cache;
  }

  private void rebalance(boolean enabled) throws Exception {
    GlobalComponentRegistry.of(nodes.getFirst())
        .getLocalTopologyManager()
        .setCacheRebalancingEnabled(CACHE, enabled);
  }

  /// Has a node that discards all that it is sent meet the others again.
  void join(int cutOff) throws Exception {
    TestingUtil.extractJChannel(nodes.get(cutOff)).getProtocolStack().removeProtocol(DISCARD.class);
    List<JChannel> channels = nodes.stream().map(TestingUtil::extractJChannel).toList();
    List<View> sides = channels.stream().map(JChannel::getView).distinct().toList();
    List<Address> members = channels.stream().map(JChannel::getAddress).toList();
    long newest = sides.stream().mapToLong(side -> side.getViewId().getId()).max().orElseThrow();
    MergeView all = new MergeView(members.getFirst(), newest + 1, members, sides);
    // Without it nodes ask for messages that nobody has any more.
    MutableDigest received = new MutableDigest(members.toArray(Address[]::new));
    channels.forEach(channel -> received.merge((Digest) channel.down(new Event(Event.GET_DIGEST))));
    for (JChannel channel : channels) {
      channel.getProtocolStack().<GMS>findProtocol(GMS.class).installView(all, received);
    }
  }

  DefaultCacheManager node(int number) {
    return nodes.get(number);
  }

  Cache<String, String> cache(int number) {
    return nodes.get(number).getCache(CACHE);
  }

  /// Waits until no segment is in flight.
  void awaitShares() {
    List<Cache<String, String>> caches = new ArrayList<>();
    nodes.forEach(node -> caches.add(node.getCache(CACHE)));
    TestingUtil.waitForNoRebalance(caches);
  }

  /// The nodes that own a key.
  static DistributionInfo owners(Cache<String, String> cache, String key) {
    AdvancedCache<String, String> advanced = cache.getAdvancedCache();
    return advanced
        .getDistributionManager()
        .getCacheTopology()
        .getDistribution(advanced.getKeyDataConversion().toStorage(key)); // what a server hashes
  }

  /// A key whose owners are those that a test wants. Fails if there is none: to look on would never
  /// end.
  static String keyOf(Cache<String, String> cache, Predicate<DistributionInfo> wanted) {
    return IntStream.range(0, TRIED_KEYS_MAX)
        .mapToObj(number -> "key" + number)
        .filter(key -> wanted.test(owners(cache, key)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no segment has the owners that are wanted"));
  }

  /// What the store of a cache has of a key.
  @SuppressWarnings("unchecked") // the store holds what the cache has it hold
  static @Nullable String stored(Cache<String, String> cache, Object key) {
    VarveStore<Object, Object> store =
        ComponentRegistry.componentOf(cache, PersistenceManager.class)
            .getStores(VarveStore.class)
            .iterator()
            .next();
    Object stored = cache.getAdvancedCache().getKeyDataConversion().toStorage(key);
    int segment = ComponentRegistry.componentOf(cache, KeyPartitioner.class).getSegment(stored);
    MarshallableEntry<Object, Object> entry =
        store.load(segment, stored).toCompletableFuture().join();
    return entry == null
        ? null
        : (String) cache.getAdvancedCache().getValueDataConversion().fromStorage(entry.getValue());
  }

  @Override
  public void close() {
    TestingUtil.killCacheManagers(nodes);
  }
}
