package io.varve.infinispan.migration;

import io.reactivex.rxjava3.core.Flowable;
import io.varve.Durability;
import io.varve.infinispan.VarveStore;
import io.varve.infinispan.VarveStoreConfigurationBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.infinispan.Cache;
import org.infinispan.commons.util.IntSet;
import org.infinispan.commons.util.IntSets;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.distribution.ch.KeyPartitioner;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.NonBlockingStore.SegmentedPublisher;
import org.reactivestreams.Subscriber;

/// The store of a cache in Varve that entries are imported into. Durable when it is closed.
final class ImportTarget implements AutoCloseable {
  private final DefaultCacheManager manager;
  private final VarveStore<Object, Object> store;
  private final KeyPartitioner partitioner;
  private final IntSet segments;

  @SuppressWarnings("unchecked") // the cache is one of objects
  private ImportTarget(DefaultCacheManager manager, Cache<Object, Object> cache) {
    this.manager = manager;
    this.store = ImportSource.onlyStore(cache, VarveStore.class);
    this.partitioner = ComponentRegistry.componentOf(cache, KeyPartitioner.class);
    this.segments =
        IntSets.immutableRangeSet(cache.getCacheConfiguration().clustering().hash().numSegments());
  }

  /// Opens the store of a cache below a location, or makes it.
  static ImportTarget open(String cache, Path location, CacheSettings settings) {
    DefaultCacheManager manager = settings.manager();
    try {
      ConfigurationBuilder configuration = settings.configuration();
      configuration
          .persistence()
          .addStore(VarveStoreConfigurationBuilder.class)
          .location(location.toString())
          .durability(Durability.BACKGROUND);
      manager.defineConfiguration(cache, configuration.build());
      return new ImportTarget(manager, manager.getCache(cache));
    } catch (RuntimeException e) {
      ImportSource.close(manager);
      throw new ImportException(
          "the target cannot be opened: cache="
              + cache
              + ", location="
              + location
              + ", cause="
              + RootCause.message(e),
          e);
    }
  }

  /// The number of entries.
  long count() {
    return store.approximateSize(segments).toCompletableFuture().join();
  }

  /// Sets entries, as one commit.
  void write(List<MarshallableEntry<Object, Object>> entries) {
    Map<Integer, List<MarshallableEntry<Object, Object>>> bySegment =
        entries.stream()
            .collect(Collectors.groupingBy(entry -> partitioner.getSegment(entry.getKey())));
    store
        .batch(
            segments.size(),
            Flowable.empty(),
            Flowable.fromIterable(bySegment.entrySet())
                .map(segment -> new Segment(segment.getKey(), segment.getValue())))
        .toCompletableFuture()
        .join();
  }

  /// Entries of one segment.
  private record Segment(int getSegment, List<MarshallableEntry<Object, Object>> entries)
      implements SegmentedPublisher<MarshallableEntry<Object, Object>> {
    @Override
    public void subscribe(Subscriber<? super MarshallableEntry<Object, Object>> subscriber) {
      Flowable.fromIterable(entries).subscribe(subscriber);
    }
  }

  @Override
  public void close() {
    ImportSource.close(manager);
  }
}
