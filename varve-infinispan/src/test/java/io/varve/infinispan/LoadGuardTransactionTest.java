package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.infinispan.Cache;
import org.infinispan.context.Flag;
import org.infinispan.transaction.LockingMode;
import org.infinispan.transaction.TransactionMode;
import org.infinispan.transaction.lookup.EmbeddedTransactionManagerLookup;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// LOAD-1 where the write is a transaction of another node than the one that owns the key.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class LoadGuardTransactionTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(LockingMode.class)
  void whatAnotherNodeRemovedDoesNotComeBack(LockingMode locking) throws Exception {
    try (Nodes nodes =
        new Nodes(
            directory,
            configuration -> {
              configuration.clustering().hash().numOwners(1).numSegments(Nodes.SEGMENTS);
              configuration
                  .transaction()
                  .transactionMode(TransactionMode.TRANSACTIONAL)
                  .lockingMode(locking)
                  .transactionManagerLookup(new EmbeddedTransactionManagerLookup());
            })) {
      Cache<String, String> other = nodes.add();
      Cache<String, String> owner = nodes.add();
      nodes.awaitShares();
      String key = Nodes.keyOf(owner, owners -> owners.isPrimary());
      HeldStore store = HeldStore.of(owner);
      owner.put(key, "old");
      owner.evict(key);
      store.holdNext();
      CompletableFuture<String> read = owner.getAsync(key);
      store.awaitHeld();
      // Without the value before: to ask for that would wait for the load that is held.
      other.getAdvancedCache().withFlags(Flag.IGNORE_RETURN_VALUES).remove(key);
      store.open();
      assertThat(read.get(20, TimeUnit.SECONDS)).isEqualTo("old");
      assertThat(owner.get(key)).isNull();
    }
  }
}
