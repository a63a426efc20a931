package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.infinispan.Cache;
import org.infinispan.commands.write.RemoveCommand;
import org.infinispan.context.Flag;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.impl.DistCacheWriterInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is removed while its owners change is removed from all of them.
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class RemovalGuardTest {
  private static final int KEYS = 64;

  @TempDir Path directory;
  private Nodes nodes;

  @AfterEach
  void stop() {
    nodes.close();
  }

  /// The node that joins is sent the removals, so that it finds nothing when they are done again.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatWasItsPrimaryOwnerKeepsNothing(boolean servers) throws Exception {
    nodes =
        new Nodes(
            directory,
            configuration -> configuration.clustering().hash().numOwners(2).numSegments(64));
    if (servers) {
      nodes.asServers();
    }
    Cache<String, String> first = nodes.add();
    nodes.add();
    nodes.awaitShares();
    List<String> keys = new ArrayList<>();
    for (int i = 0; keys.size() < KEYS; i++) {
      if (Nodes.owners(first, "key" + i).isPrimary()) {
        keys.add("key" + i);
        first.put("key" + i, "value");
      }
    }

    Gate gate =
        Gate.after(
            (context, command) -> context.isOriginLocal() && command instanceof RemoveCommand);
    ComponentRegistry.componentOf(first, AsyncInterceptorChain.class)
        .addInterceptorAfter(gate, DistCacheWriterInterceptor.class);
    var transfers = Gate.beforeTransfers();
    nodes.addWithTransfersThrough(transfers);
    transfers.awaitHeld();
    List<CompletableFuture<String>> removals = keys.stream().map(first::removeAsync).toList();
    for (String ignored : keys) {
      gate.awaitHeld();
    }
    transfers.open();
    nodes.awaitShares();
    gate.open();
    CompletableFuture.allOf(removals.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);

    List<String> moved =
        keys.stream()
            .filter(key ->
                Nodes.owners(first, key).isWriteBackup() && Nodes.owners(first, key).isReadOwner())
            .toList();
    assertThat(moved).as("keys whose primary owner is another now").isNotEmpty();
    Cache<String, String> local = first.getAdvancedCache().withFlags(Flag.CACHE_MODE_LOCAL);
    for (String key : moved) {
      assertThat(Nodes.stored(first, key)).as("%s in the store", key).isNull();
      assertThat(local.get(key)).as("%s in memory", key).isNull();
    }
  }
}
