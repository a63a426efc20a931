package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.manager.PersistenceManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/// LOAD-1 and LOAD-2 in a cache whose first store is added while it is in use.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class LaterStoreTest {
  @Test
  void whatWasRemovedDoesNotComeBack(@TempDir Path directory) throws Exception {
    try (var node = new DefaultCacheManager(new GlobalConfigurationBuilder().build())) {
      Cache<String, String> cache =
          node.createCache("later", new ConfigurationBuilder().simpleCache(false).build());
      cache.put("before", "v");
      cache.clear();
      ComponentRegistry.componentOf(cache, PersistenceManager.class)
          .addStore(store(directory))
          .toCompletableFuture()
          .get(30, TimeUnit.SECONDS);
      HeldStore store = HeldStore.of(cache);
      cache.put("key", "old");
      cache.evict("key");
      store.holdNext();
      CompletableFuture<String> read = cache.getAsync("key");
      store.awaitHeld();
      cache.remove("key");
      assertThat(cache.getAsync("key").get(20, TimeUnit.SECONDS)).isNull();
      store.open();
      assertThat(read.get(20, TimeUnit.SECONDS)).isEqualTo("old");
      assertThat(cache.get("key")).isNull();
    }
  }

  private static VarveStoreConfiguration store(Path directory) {
    var definition = new ConfigurationBuilder();
    definition
        .persistence()
        .addStore(VarveStoreConfigurationBuilder.class)
        .location(directory.toString())
        .segmented(false);
    return (VarveStoreConfiguration) definition.build().persistence().stores().getFirst();
  }
}
