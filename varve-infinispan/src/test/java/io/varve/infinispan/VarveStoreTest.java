package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.varve.Durability;
import io.varve.StoreLockedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.infinispan.Cache;
import org.infinispan.commons.util.IntSets;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.StorageType;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.distribution.ch.KeyPartitioner;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.manager.PersistenceManager;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.MarshallableEntryFactory;
import org.infinispan.persistence.spi.NonBlockingStore.SegmentedPublisher;
import org.infinispan.persistence.spi.PersistenceException;
import org.infinispan.persistence.support.SingleSegmentPublisher;
import org.infinispan.transaction.LockingMode;
import org.infinispan.transaction.TransactionMode;
import org.infinispan.transaction.lookup.EmbeddedTransactionManagerLookup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;

/// The store under caches of a local manager.
@Timeout(240)
class VarveStoreTest {
  private static final String NAME = "c";

  @TempDir Path directory;

  private DefaultCacheManager manager() {
    GlobalConfigurationBuilder global = new GlobalConfigurationBuilder();
    global.globalState().enable().persistentLocation(directory.toString());
    return new DefaultCacheManager(global.build());
  }

  private static ConfigurationBuilder configuration(
      Consumer<VarveStoreConfigurationBuilder> options) {
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.memory().storage(StorageType.HEAP).maxCount(10); // so that reads go to the store
    options.accept(
        builder
            .persistence()
            .addStore(VarveStoreConfigurationBuilder.class)
            .durability(Durability.PROCESS_CRASH));
    return builder;
  }

  private static Cache<String, String> cache(
      DefaultCacheManager manager, ConfigurationBuilder configuration) {
    manager.defineConfiguration(NAME, configuration.build());
    return manager.getCache(NAME);
  }

  private static VarveStore<String, String> store(Cache<String, String> cache) {
    PersistenceManager persistence = ComponentRegistry.componentOf(cache, PersistenceManager.class);
    @SuppressWarnings("unchecked") // of this cache
    VarveStore<String, String> store = persistence.getStores(VarveStore.class).iterator().next();
    return store;
  }

  private static Map<String, String> numbered(int count) {
    Map<String, String> entries = new HashMap<>();
    for (int i = 0; i < count; i++) {
      entries.put("k" + i, "v" + i);
    }
    return entries;
  }

  @Test
  void aBatchIsOneCommit() throws Exception {
    try (DefaultCacheManager manager = manager()) {
      Cache<String, String> cache = cache(manager, configuration(_ -> {}));
      long before = store(cache).statistics().commits().applied();
      cache.putAll(numbered(500));
      assertThat(store(cache).statistics().commits().applied()).isEqualTo(before + 1);
      assertThat(cache).hasSize(500);
    }
  }

  /// Infinispan hands over an entry without a value where another node did the write.
  @Test
  void anEntryWithoutAValueChangesNothing() throws Exception {
    try (DefaultCacheManager manager = manager()) {
      Cache<String, String> cache = cache(manager, configuration(_ -> {}));
      cache.put("there", "v");
      MarshallableEntryFactory<String, String> factory = entries(cache);
      VarveStore<String, String> store = store(cache);
      long before = store.statistics().commits().applied();
      for (String key : new String[] {"there", "absent"}) {
        int segment = ComponentRegistry.componentOf(cache, KeyPartitioner.class).getSegment(key);
        MarshallableEntry<String, String> entry = factory.create(key, (String) null);
        store.write(segment, entry).toCompletableFuture().get(60, TimeUnit.SECONDS);
        Publisher<SegmentedPublisher<MarshallableEntry<String, String>>> written =
            Flowable.just(SingleSegmentPublisher.singleSegment(segment, Flowable.just(entry)));
        store.batch(1, Flowable.empty(), written).toCompletableFuture().get(60, TimeUnit.SECONDS);
      }
      assertThat(store.statistics().commits().applied()).isEqualTo(before);
      cache.getAdvancedCache().getDataContainer().clear();
      assertThat(cache.get("there")).isEqualTo("v");
      assertThat(cache.get("absent")).isNull();
    }
  }

  @SuppressWarnings("unchecked") // of this cache
  private static MarshallableEntryFactory<String, String> entries(Cache<String, String> cache) {
    return ComponentRegistry.componentOf(cache, MarshallableEntryFactory.class);
  }

  @Test
  void aTransactionIsOneCommitAndARollbackNone() throws Exception {
    ConfigurationBuilder configuration = configuration(store -> store.transactional(true));
    configuration
        .transaction()
        .transactionMode(TransactionMode.TRANSACTIONAL)
        .lockingMode(LockingMode.PESSIMISTIC)
        .transactionManagerLookup(new EmbeddedTransactionManagerLookup());
    try (DefaultCacheManager manager = manager()) {
      Cache<String, String> cache = cache(manager, configuration);
      cache.put("removed", "v");
      var transactions = cache.getAdvancedCache().getTransactionManager();
      long before = store(cache).statistics().commits().applied();
      transactions.begin();
      cache.put("a", "1");
      cache.put("b", "2");
      cache.remove("removed");
      transactions.commit();
      assertThat(store(cache).statistics().commits().applied()).isEqualTo(before + 1);
      transactions.begin();
      cache.put("a", "3");
      cache.put("c", "4");
      transactions.rollback();
      assertThat(store(cache).statistics().commits().applied()).isEqualTo(before + 1);
    }
    try (DefaultCacheManager manager = manager()) {
      assertThat(cache(manager, configuration))
          .containsExactlyInAnyOrderEntriesOf(Map.of("a", "1", "b", "2"));
    }
  }

  @Test
  void anotherNumberOfSegmentsFindsAllEntries() throws Exception {
    Map<String, String> entries = numbered(1000);
    for (int segments : new int[] {256, 10, 1, 64}) {
      ConfigurationBuilder configuration = configuration(store -> store.segmented(segments != 10));
      configuration.clustering().hash().numSegments(segments);
      try (DefaultCacheManager manager = manager()) {
        Cache<String, String> cache = cache(manager, configuration);
        if (segments == 256) {
          cache.putAll(entries);
        }
        assertThat(cache.size()).isEqualTo(1000);
        entries.forEach((key, value) -> assertThat(cache.get(key)).isEqualTo(value));
      }
    }
  }

  /// Infinispan takes every key of a cache that needs no segments for one of the first.
  @Test
  void segmentedOrNotFindsAllEntries() throws Exception {
    Map<String, String> entries = numbered(1000);
    for (boolean segmented : new boolean[] {false, true, false}) {
      try (DefaultCacheManager manager = manager()) {
        Cache<String, String> cache =
            cache(manager, configuration(store -> store.segmented(segmented)));
        if (cache.isEmpty()) {
          cache.putAll(entries);
        }
        assertThat(cache.size()).isEqualTo(1000);
        entries.forEach((key, value) -> assertThat(cache.get(key)).isEqualTo(value));
      }
    }
  }

  @Test
  void publishersCanBeSubscribedToAgainAndLeaveNoSnapshot() throws Exception {
    try (DefaultCacheManager manager = manager()) {
      Cache<String, String> cache = cache(manager, configuration(_ -> {}));
      cache.putAll(numbered(20_000)); // more than is read ahead
      VarveStore<String, String> store = store(cache);
      Publisher<String> keys = store.publishKeys(IntSets.immutableRangeSet(256), null);
      for (int time = 0; time < 2; time++) {
        Set<String> read = new HashSet<>(Flowable.fromPublisher(keys).toList().blockingGet());
        assertThat(read).isEqualTo(numbered(20_000).keySet());
      }
      assertNoSnapshots(store);

      TestSubscriber<String> cancelled = TestSubscriber.create(3);
      keys.subscribe(cancelled);
      cancelled.awaitCount(3);
      assertThat(cancelled.values()).hasSize(3);
      assertThat(store.statistics().snapshots().open()).hasSize(1);
      cancelled.cancel();
      assertNoSnapshots(store);

      TestSubscriber<String> failed = TestSubscriber.create();
      store
          .publishKeys(
              IntSets.immutableRangeSet(256),
              _ -> {
                throw new IllegalStateException("on purpose");
              })
          .subscribe(failed);
      assertThat(failed.await(60, TimeUnit.SECONDS)).isTrue();
      failed.assertError(PersistenceException.class);
      assertNoSnapshots(store);
    }
  }

  /// Waits for a cancellation, which runs on a thread that may block.
  private static void assertNoSnapshots(VarveStore<?, ?> store) throws InterruptedException {
    for (int wait = 0; !store.statistics().snapshots().open().isEmpty() && wait < 60_000; wait++) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    assertThat(store.statistics().snapshots().open()).isEmpty();
  }

  @Test
  void aStoreInMemoryNeedsNoDirectoryAndEndsWithItsCache() throws Exception {
    ConfigurationBuilder configuration = configuration(store -> store.durability(Durability.NONE));
    for (int time = 0; time < 2; time++) {
      try (DefaultCacheManager manager = new DefaultCacheManager()) {
        Cache<String, String> cache = cache(manager, configuration);
        assertThat(cache).isEmpty();
        cache.putAll(numbered(100));
        assertThat(cache).hasSize(100);
      }
    }
  }

  /// Infinispan clears the stores of a cache that is removed, and destroys none.
  @Test
  void aRemovedCacheIsEmptyWhenItIsMadeAgain() throws Exception {
    try (DefaultCacheManager manager = manager()) {
      cache(manager, configuration(_ -> {})).putAll(numbered(100));
      manager.administration().removeCache(NAME);
      assertThat(cache(manager, configuration(_ -> {}))).isEmpty();
    }
  }

  @Test
  void aDestroyedStoreLeavesNoFiles() throws Exception {
    Path files = directory.resolve(NAME).resolve("varve");
    try (DefaultCacheManager manager = manager()) {
      Cache<String, String> cache = cache(manager, configuration(_ -> {}));
      cache.put("a", "1");
      assertThat(files.resolve("pages")).exists();
      store(cache).destroy().toCompletableFuture().join();
      assertThat(files).doesNotExist();
      assertThat(store(cache).isAvailable().toCompletableFuture().join()).isFalse();
    }
  }

  @Test
  void aKeyThatIsTooLongIsRefusedAndNothingElse() throws Exception {
    try (DefaultCacheManager manager = manager()) {
      Cache<String, String> cache = cache(manager, configuration(_ -> {}));
      String key = "k".repeat(5000);
      assertThatThrownBy(() -> cache.put(key, "v"))
          .isInstanceOf(PersistenceException.class)
          .hasMessageContaining("marshalled key too long");
      assertThat(store(cache).load(0, key)).isCompletedExceptionally();
      cache.put("a", "1");
      assertThat(cache.get("a")).isEqualTo("1");
    }
  }

  @Test
  void aSecondOpenNamesTheHolderOfTheStore() throws Exception {
    String location = directory.resolve("shared-by-mistake").toString();
    ConfigurationBuilder configuration = configuration(store -> store.location(location));
    try (DefaultCacheManager first = new DefaultCacheManager();
        DefaultCacheManager second = new DefaultCacheManager()) {
      cache(first, configuration).put("a", "1");
      assertThatThrownBy(() -> cache(second, configuration))
          .hasRootCauseInstanceOf(StoreLockedException.class)
          .rootCause()
          .hasMessageContaining("Pid=" + ProcessHandle.current().pid());
    }
    assertThat(Files.list(Path.of(location))).hasSize(1);
  }
}
