package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.infinispan.Cache;
import org.infinispan.commands.read.GetKeyValueCommand;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.partitionhandling.AvailabilityException;
import org.infinispan.partitionhandling.PartitionHandling;
import org.infinispan.remoting.transport.Address;
import org.infinispan.test.TestingUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A node gives no answer that rests on owners that have left, itself among them.
@Tag("slow")
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class OwnerGuardTest {
  @TempDir Path directory;
  private Nodes nodes;

  @AfterEach
  void stop() {
    nodes.close();
  }

  /// A node that is cut off while it waits for a backup reports that it cannot know, and not that
  /// the entry is in: the other side continues without it.
  @ParameterizedTest
  @ValueSource(strings = {"put", "remove"})
  void aWriteThatASplitMeetsIsNotAcknowledged(String call) throws Exception {
    startThree();
    Cache<String, String> alone = nodes.cache(2);
    String key = keyOf(alone, 0);
    alone.put(key, "old");
    TestingUtil.getDiscardForCache(nodes.node(2)).discardAll(true);
    CompletableFuture<String> write =
        call.equals("put") ? alone.putAsync(key, "new") : alone.removeAsync(key);
    split();
    assertThatThrownBy(() -> write.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(AvailabilityException.class);
  }

  /// On the larger side a write that meets a split is acknowledged. It is sent to the node that
  /// owns its key now, instead of the one that was cut off.
  @Test
  void aWriteOnTheLargerSideIsKeptByItsNewOwner() throws Exception {
    startThree();
    Cache<String, String> larger = nodes.cache(0);
    String key = keyOf(larger, 2);
    larger.put(key, "old");
    TestingUtil.getDiscardForCache(nodes.node(2)).discardAll(true);
    CompletableFuture<String> write = larger.putAsync(key, "new");
    split();
    write.get(60, TimeUnit.SECONDS);
    assertThat(Nodes.stored(larger, key)).isEqualTo("new");
    await().until(() -> "new".equals(Nodes.stored(nodes.cache(1), key)));
  }

  private void startThree() {
    nodes = new Nodes(directory, OwnerGuardTest::consistent).asServers();
    for (int node = 0; node < 3; node++) {
      nodes.add();
    }
    nodes.awaitShares();
  }

  private void split() {
    TestingUtil.installNewView(nodes.node(2));
    TestingUtil.installNewView(nodes.node(0), nodes.node(1));
  }

  private static void consistent(ConfigurationBuilder configuration) {
    configuration
        .clustering()
        .hash()
        .numOwners(2)
        .numSegments(Nodes.SEGMENTS)
        .clustering()
        .partitionHandling()
        .whenSplit(PartitionHandling.DENY_READ_WRITES);
  }

  /// A key whose writes a node sends to another.
  private String keyOf(Cache<String, String> primary, int backup) {
    Address address = nodes.node(backup).getAddress();
    return Nodes.keyOf(
        primary, owners -> owners.isPrimary() && owners.writeBackups().contains(address));
  }

  @Test
  void aReadFindsItsKeyThoughItsSegmentIsGivenAwayConcurrently() throws Exception {
    nodes =
        new Nodes(
            directory,
            configuration -> configuration.clustering().hash().numOwners(1).numSegments(16));
    Cache<String, String> first = nodes.add();
    for (int i = 0; i < 50; i++) {
      first.put("key" + i, "value" + i);
    }
    first.getAdvancedCache().getDataContainer().clear();
    Gate gate = Gate.before((_, command) -> command instanceof GetKeyValueCommand);
    AsyncInterceptorChain chain = ComponentRegistry.componentOf(first, AsyncInterceptorChain.class);
    assertThat(chain.addInterceptorBefore(gate, ClusterLoader.class)).isTrue();
    Map<String, CompletableFuture<String>> reads = new TreeMap<>();
    for (int i = 0; i < 50; i++) {
      reads.put("key" + i, first.getAsync("key" + i));
    }
    for (int i = 0; i < 50; i++) {
      gate.awaitHeld();
    }
    nodes.add();
    nodes.awaitShares();
    List<String> givenAway =
        reads.keySet().stream().filter(key -> !Nodes.owners(first, key).isReadOwner()).toList();
    assertThat(givenAway).isNotEmpty();
    for (String key : givenAway) {
      await().until(() -> Nodes.stored(first, key) == null);
    }
    gate.open();
    for (var read : reads.entrySet()) {
      assertThat(read.getValue().get(60, TimeUnit.SECONDS))
          .as(read.getKey())
          .isEqualTo(read.getKey().replace("key", "value"));
    }
  }
}
