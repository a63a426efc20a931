package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.context.Flag;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.impl.CacheLoaderInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// LOAD-1 and LOAD-2: what a load has read from the store before a write does not outlive it.
@Tag("slow")
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
@ParameterizedClass
@EnumSource(
    value = CacheMode.class,
    names = {"LOCAL", "DIST_SYNC"})
class LoadGuardTest {
  private static final String KEY = "key";

  private final Nodes nodes;
  private final Cache<String, String> cache;
  private final HeldStore store;

  LoadGuardTest(CacheMode mode, @TempDir Path directory) {
    nodes =
        new Nodes(
                directory,
                configuration -> {
                  configuration.clustering().cacheMode(mode);
                  configuration.statistics().enable();
                })
            .asServers();
    cache = nodes.add();
    store = HeldStore.of(cache);
    cache.put(KEY, "old");
    cache.evict(KEY);
  }

  @AfterEach
  void stop() {
    store.open();
    nodes.close();
  }

  /// A read that has what is in the store, and not yet put it into memory.
  private CompletableFuture<String> heldRead() throws Exception {
    store.holdNext();
    CompletableFuture<String> read = cache.getAsync(KEY);
    store.awaitHeld();
    return read;
  }

  private void release(CompletableFuture<String> read) throws Exception {
    store.open();
    assertThat(read.get(20, TimeUnit.SECONDS)).isEqualTo("old");
  }

  @Test
  void whatWasRemovedDoesNotComeBack() throws Exception {
    CompletableFuture<String> read = heldRead();
    cache.remove(KEY);
    release(read);
    assertThat(cache.get(KEY)).isNull();
  }

  @Test
  void whatWasClearedDoesNotComeBack() throws Exception {
    CompletableFuture<String> read = heldRead();
    cache.clear();
    release(read);
    assertThat(cache.get(KEY)).isNull();
  }

  @Test
  void whatWasReplacedDoesNotComeBack() throws Exception {
    CompletableFuture<String> read = heldRead();
    cache.put(KEY, "new");
    cache.evict(KEY);
    release(read);
    assertThat(cache.get(KEY)).isEqualTo("new");
  }

  /// The second read begins after the removal was acknowledged.
  @Test
  void aReadIsNotGivenWhatWasReadBeforeARemoval() throws Exception {
    CompletableFuture<String> read = heldRead();
    cache.remove(KEY);
    assertThat(cache.getAsync(KEY).get(20, TimeUnit.SECONDS)).isNull();
    release(read);
  }

  @Test
  void aReplacementIsNotGivenWhatWasReadBeforeAWrite() throws Exception {
    CompletableFuture<String> read = heldRead();
    cache.put(KEY, "new");
    cache.evict(KEY);
    CompletableFuture<Boolean> replaced = cache.replaceAsync(KEY, "old", "replaced");
    assertThat(replaced.get(20, TimeUnit.SECONDS)).isFalse();
    release(read);
    assertThat(cache.get(KEY)).isEqualTo("new");
  }

  /// Loads are as rare as they were: reads of one time have one, and what was loaded is in memory.
  @Test
  void readsWithoutWritesLoadOnce() throws Exception {
    int before = store.loads();
    CompletableFuture<String> read = heldRead();
    CompletableFuture<String> other = cache.getAsync(KEY);
    release(read);
    assertThat(other.get(20, TimeUnit.SECONDS)).isEqualTo("old");
    assertThat(cache.get(KEY)).isEqualTo("old");
    assertThat(store.loads() - before).isEqualTo(1);
    AdvancedCache<String, String> memory =
        cache.getAdvancedCache().withFlags(Flag.SKIP_CACHE_LOAD, Flag.CACHE_MODE_LOCAL);
    assertThat(memory.get(KEY)).isEqualTo("old");
    assertThat(loader().getCacheLoaderLoads()).isEqualTo(1);
  }

  /// A write that changes nothing leaves in memory what it has loaded.
  @Test
  void aConditionalWriteThatFailsLoadsOnce() {
    int before = store.loads();
    assertThat(cache.putIfAbsent(KEY, "other")).isEqualTo("old");
    assertThat(cache.putIfAbsent(KEY, "other")).isEqualTo("old");
    assertThat(store.loads() - before).isEqualTo(1);
  }

  private CacheLoaderInterceptor<?, ?> loader() {
    return ComponentRegistry.componentOf(cache, AsyncInterceptorChain.class)
        .findInterceptorExtending(CacheLoaderInterceptor.class);
  }
}
