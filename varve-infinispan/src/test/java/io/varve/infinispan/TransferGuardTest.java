package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// A store of a node that is sent its share holds what clients wrote concurrently, and not what
/// they wrote before.
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

  /// A node with entries.
  private Cache<String, String> filled() {
    Cache<String, String> cache = nodes.add();
    for (int i = 0; i < ENTRIES; i++) {
      cache.put("key" + i, "old");
    }
    return cache;
  }

  @Test
  void whatIsClearedWhileEntriesComeStaysCleared() throws Exception {
    Cache<String, String> first = filled();
    var gate = Gate.beforeTransfers();
    Cache<String, String> second = nodes.addWithTransfersThrough(gate);
    gate.awaitHeld();
    first.clear();
    first.put("key0", "new");
    gate.open();
    nodes.awaitShares();
    assertThat(Nodes.stored(second, "key0")).isEqualTo("new");
    for (int i = 1; i < ENTRIES; i++) {
      assertThat(Nodes.stored(second, "key" + i)).isNull();
    }
  }

  @Test
  void whatClientsWriteWhileEntriesComeStays() throws Exception {
    Cache<String, String> first = filled();
    var gate = Gate.beforeTransfers();
    Cache<String, String> second = nodes.addWithTransfersThrough(gate);
    String removed = (String) gate.awaitHeld();
    String replaced = (String) gate.awaitHeld();
    first.remove(removed);
    first.put(replaced, "new");
    gate.open();
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
