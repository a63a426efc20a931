package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.infinispan.Cache;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.PutKeyValueCommand;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// A store of a node that is sent its share holds what clients wrote meanwhile, and not what they
/// wrote before.
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class TransferGuardTest {
  private static final int ENTRIES = 50;

  @TempDir Path directory;
  private Nodes nodes;

  @BeforeEach
  void start() {
    nodes = new Nodes(directory, TransferGuardTest::inOneChunk);
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  private static void inOneChunk(ConfigurationBuilder configuration) {
    configuration.clustering().hash().numOwners(2).numSegments(1);
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

  private void rebalance(boolean enabled) throws Exception {
    GlobalComponentRegistry.of(nodes.node(0))
        .getLocalTopologyManager()
        .setCacheRebalancingEnabled(Nodes.CACHE, enabled);
  }

  /// A node with entries.
  private Cache<String, String> filled() {
    Cache<String, String> cache = nodes.add();
    for (int i = 0; i < ENTRIES; i++) {
      cache.put("key" + i, "old");
    }
    return cache;
  }

  /// A second node, on its way to which entries are held.
  private Cache<String, String> joining(Gate gate) throws Exception {
    rebalance(false);
    Cache<String, String> second = nodes.add();
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
    nodes.awaitShares();
    assertThat(Nodes.stored(second, "key0")).isEqualTo("new");
    for (int i = 1; i < ENTRIES; i++) {
      assertThat(Nodes.stored(second, "key" + i)).isNull();
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
    nodes.awaitShares();
    assertThat(
            second
                .getAdvancedCache()
                .getDistributionManager()
                .getCacheTopology()
                .isWriteOwner(removed))
        .isTrue();
    assertThat(Nodes.stored(second, removed)).as("removed while it was sent").isNull();
    assertThat(Nodes.stored(second, replaced)).as("replaced while it was sent").isEqualTo("new");
    for (int i = 0; i < ENTRIES; i++) {
      String key = "key" + i;
      if (!key.equals(removed) && !key.equals(replaced)) {
        assertThat(Nodes.stored(second, key)).isEqualTo("old");
      }
    }
  }
}
