package io.varve.infinispan.migration;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.infinispan.Cache;
import org.infinispan.commons.util.IntSet;
import org.infinispan.commons.util.IntSets;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.distribution.ch.KeyPartitioner;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.manager.PersistenceManager;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.NonBlockingStore;

/// A store of Infinispan that is read by its own class, under a cache that nothing else uses.
final class ImportSource implements AutoCloseable {
  private final DefaultCacheManager manager;
  private final NonBlockingStore<Object, Object> store;
  private final KeyPartitioner partitioner;
  private final IntSet segments;

  @SuppressWarnings("unchecked") // the cache is one of objects
  private ImportSource(DefaultCacheManager manager, Cache<Object, Object> cache) {
    this.manager = manager;
    this.store = onlyStore(cache, NonBlockingStore.class);
    this.partitioner = ComponentRegistry.componentOf(cache, KeyPartitioner.class);
    this.segments =
        IntSets.immutableRangeSet(cache.getCacheConfiguration().clustering().hash().numSegments());
  }

  /// Opens a store that may be written to.
  ///
  /// @param location of which it is below
  /// @throws ImportException if Infinispan cannot open it
  static ImportSource open(String cache, SourceStore kind, Path location, CacheSettings settings) {
    DefaultCacheManager manager = settings.manager();
    try {
      ConfigurationBuilder configuration = settings.configuration();
      kind.addTo(configuration, location, cache);
      manager.defineConfiguration(cache, configuration.build());
      return new ImportSource(manager, manager.getCache(cache));
    } catch (RuntimeException e) {
      close(manager);
      throw new ImportException(
          "Infinispan cannot open the store: cache="
              + cache
              + ", kind="
              + kind.label()
              + ", cause="
              + RootCause.message(e)
              + "; if a class of keys is missing, put it on the class path and name a"
              + " configuration; if the store is damaged, restore it from a backup; if it is older"
              + " than Infinispan 12, open it with that first",
          e);
    }
  }

  /// The one store of a cache that has one.
  static <S> S onlyStore(Cache<?, ?> cache, Class<S> type) {
    return ComponentRegistry.componentOf(cache, PersistenceManager.class)
        .getStores(type)
        .iterator()
        .next();
  }

  /// About how many entries there are.
  long approximateSize() {
    return store.approximateSize(segments).toCompletableFuture().join();
  }

  /// All entries that have not expired. An error ends them.
  Flowable<MarshallableEntry<Object, Object>> entries() {
    return Flowable.fromPublisher(store.publishEntries(segments, null, true));
  }

  /// The entries that can be read, one by one.
  ///
  /// @param skipped hears of those that cannot
  Flowable<MarshallableEntry<Object, Object>> readableEntries(Consumer<String> skipped) {
    return Flowable.fromPublisher(store.publishKeys(segments, null))
        .concatMapMaybe(key ->
            Maybe.fromCompletionStage(store.load(partitioner.getSegment(key), key))
                .onErrorComplete(e -> {
                  skipped.accept(RootCause.message(e));
                  return true;
                }));
  }

  @Override
  public void close() {
    close(manager);
  }

  static void close(DefaultCacheManager manager) {
    try {
      manager.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
