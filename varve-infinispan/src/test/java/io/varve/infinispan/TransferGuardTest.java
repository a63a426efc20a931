package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.infinispan.Cache;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.PutKeyValueCommand;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.distribution.ch.KeyPartitioner;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.manager.PersistenceManager;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.test.TestingUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// A store of a node that is sent its share holds what clients wrote meanwhile, and not what they
/// wrote before.
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class TransferGuardTest {
  private static final String CACHE = "orders";
  private static final int ENTRIES = 50;

  @TempDir Path directory;
  private final List<DefaultCacheManager> nodes = new ArrayList<>();

  @AfterEach
  void stop() {
    TestingUtil.killCacheManagers(nodes);
  }

  /// Holds entries that a node is sent until it is opened.
  static final class Gate extends BaseAsyncInterceptor {
    private final CompletableFuture<Void> open = new CompletableFuture<>();
    private final BlockingQueue<Object> held = new LinkedBlockingQueue<>();

    @Override
    public Object visitCommand(InvocationContext context, VisitableCommand command) {
      if (command instanceof PutKeyValueCommand put
          && put.hasAnyFlag(FlagBitSets.PUT_FOR_STATE_TRANSFER)) {
        held.add(put.getKey());
        return asyncInvokeNext(context, command, open);
      }
      return invokeNext(context, command);
    }
  }

  private Cache<String, String> add() {
    String name = "node" + nodes.size();
    System.setProperty("varve.test.cluster", directory.resolve("members").toString());
    GlobalConfigurationBuilder global = GlobalConfigurationBuilder.defaultClusteredBuilder();
    global
        .transport()
        .clusterName(directory.getFileName().toString())
        .nodeName(name)
        .addProperty("configurationFile", "cluster.xml");
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration
        .clustering()
        .cacheMode(CacheMode.DIST_SYNC)
        .hash()
        .numOwners(2)
        .numSegments(1); // one chunk
    configuration.clustering().stateTransfer().awaitInitialTransfer(false);
    configuration
        .persistence()
        .addStore(VarveStoreConfigurationBuilder.class)
        .location(directory.resolve(name).toString())
        .durability(Durability.BACKGROUND);
    DefaultCacheManager node = new DefaultCacheManager(global.build());
    nodes.add(node);
    node.defineConfiguration(CACHE, configuration.build());
    return node.getCache(CACHE);
  }

  private void rebalance(boolean enabled) throws Exception {
    GlobalComponentRegistry.of(nodes.getFirst())
        .getLocalTopologyManager()
        .setCacheRebalancingEnabled(CACHE, enabled);
  }

  @SuppressWarnings("unchecked") // the store of a cache of texts
  private static @Nullable String stored(Cache<String, String> cache, Object key) {
    VarveStore<String, String> store =
        ComponentRegistry.componentOf(cache, PersistenceManager.class)
            .getStores(VarveStore.class)
            .iterator()
            .next();
    int segment = ComponentRegistry.componentOf(cache, KeyPartitioner.class).getSegment(key);
    MarshallableEntry<String, String> entry =
        store
            .load(segment, cache.getAdvancedCache().getKeyDataConversion().toStorage(key))
            .toCompletableFuture()
            .join();
    return entry == null ? null : entry.getValue();
  }

  /// A node with entries.
  private Cache<String, String> filled() {
    Cache<String, String> cache = add();
    for (int i = 0; i < ENTRIES; i++) {
      cache.put("key" + i, "old");
    }
    return cache;
  }

  /// A second node, on its way to which entries are held.
  private Cache<String, String> joining(Gate gate) throws Exception {
    rebalance(false);
    Cache<String, String> second = add();
    ComponentRegistry.componentOf(second, AsyncInterceptorChain.class).addInterceptor(gate, 0);
    rebalance(true);
    return second;
  }

  @Test
  void whatIsClearedWhileEntriesComeStaysCleared() throws Exception {
    Cache<String, String> first = filled();
    Gate gate = new Gate();
    Cache<String, String> second = joining(gate);
    gate.held.take();
    first.clear();
    first.put("key0", "new");
    gate.open.complete(null);
    TestingUtil.waitForNoRebalance(first, second);
    assertThat(stored(second, "key0")).isEqualTo("new");
    for (int i = 1; i < ENTRIES; i++) {
      assertThat(stored(second, "key" + i)).isNull();
    }
  }

  @Test
  void whatClientsWriteWhileEntriesComeStays() throws Exception {
    Cache<String, String> first = filled();
    Gate gate = new Gate();
    Cache<String, String> second = joining(gate);
    String removed = (String) gate.held.take();
    String replaced = (String) gate.held.take();
    first.remove(removed);
    first.put(replaced, "new");
    gate.open.complete(null);
    TestingUtil.waitForNoRebalance(first, second);
    assertThat(
            second
                .getAdvancedCache()
                .getDistributionManager()
                .getCacheTopology()
                .isWriteOwner(removed))
        .isTrue();
    assertThat(stored(second, removed)).as("removed while it was sent").isNull();
    assertThat(stored(second, replaced)).as("replaced while it was sent").isEqualTo("new");
    for (int i = 0; i < ENTRIES; i++) {
      String key = "key" + i;
      if (!key.equals(removed) && !key.equals(replaced)) {
        assertThat(stored(second, key)).isEqualTo("old");
      }
    }
  }
}
