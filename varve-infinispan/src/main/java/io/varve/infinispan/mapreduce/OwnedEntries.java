package io.varve.infinispan.mapreduce;

import io.varve.cache.CacheEntry;
import io.varve.infinispan.StoredEntry;
import io.varve.infinispan.VarveStore;
import io.varve.infinispan.VarveStoreConfiguration;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.util.IntSet;
import org.infinispan.commons.util.IntSets;
import org.infinispan.configuration.cache.PersistenceConfiguration;
import org.infinispan.configuration.cache.StoreConfiguration;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.encoding.DataConversion;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.persistence.manager.PersistenceManager;
import org.jspecify.annotations.Nullable;

/// The entries of some segments on this node, and which of those segments it could not give. It
/// does not own these, or no longer did. Threads: the stream is shared as any other.
///
/// (O1) A segment is either lost or all of its entries are in the stream, each once. They are as of
/// one time at which this node was a read owner: those hold all that was acknowledged.
///
/// @param <K> the keys
/// @param <V> the values
sealed interface OwnedEntries<K, V> permits LiveEntries, OwnedEntries.Snapshot {
  /// The entries. To be asked for once; close it.
  Stream<CacheEntry<K, V>> stream();

  /// Segments that are not in the stream: all of them once it has been traversed.
  IntSet lost();

  /// Where the store of a cache holds all of its entries they are read from there, without a look
  /// at what is in memory; otherwise as Infinispan reads its own.
  static <K, V> OwnedEntries<K, V> of(AdvancedCache<K, V> cache, IntSet segments) {
    Optional<VarveStore<Object, Object>> store = completeStore(cache);
    return store.isPresent()
        ? snapshot(cache, store.get(), segments)
        : new LiveEntries<>(cache, segments);
  }

  /// The store of a cache, if it holds every entry that a write of which has completed.
  private static Optional<VarveStore<Object, Object>> completeStore(AdvancedCache<?, ?> cache) {
    PersistenceConfiguration persistence = cache.getCacheConfiguration().persistence();
    if (persistence.passivation() || persistence.stores().size() != 1) {
      return Optional.empty();
    }
    StoreConfiguration configuration = persistence.stores().getFirst();
    if (!(configuration instanceof VarveStoreConfiguration)
        || configuration.async().enabled()
        || configuration.ignoreModifications()
        || configuration.writeOnly()) {
      return Optional.empty();
    }
    @SuppressWarnings("unchecked") // the types in which this cache stores
    Optional<VarveStore<Object, Object>> store =
        ComponentRegistry.componentOf(cache, PersistenceManager.class)
            .getStores(VarveStore.class)
            .stream()
            .findFirst()
            .map(found -> (VarveStore<Object, Object>) found);
    return store;
  }

  /// What a snapshot of the store shows. Nothing is removed from the store before the topology that
  /// takes a segment away: so if there is no other one after the snapshot, it shows all (O1).
  private static <K, V> OwnedEntries<K, V> snapshot(
      AdvancedCache<K, V> cache, VarveStore<Object, Object> store, IntSet segments) {
    DataConversion keys = cache.getKeyDataConversion();
    DataConversion values = cache.getValueDataConversion();
    Function<StoredEntry<Object, Object>, CacheEntry<K, V>> element =
        entry -> new StoredCacheEntry<>(entry, keys, values);
    DistributionManager distribution = cache.getDistributionManager();
    while (true) {
      LocalizedCacheTopology before = topology(distribution);
      IntSet owned = owned(before, segments);
      Stream<StoredEntry<Object, Object>> stream = store.stream(owned);
      if (isStill(before, distribution)) {
        IntSet lost = IntSets.mutableCopyFrom(segments);
        lost.removeAll(owned);
        return new Snapshot<>(stream.map(element), lost);
      }
      stream.close();
    }
  }

  /// Entries that nothing changes.
  record Snapshot<K, V>(Stream<CacheEntry<K, V>> stream, IntSet lost)
      implements OwnedEntries<K, V> {}

  /// The topology of now, or null if the cache is of one node.
  static @Nullable LocalizedCacheTopology topology(@Nullable DistributionManager distribution) {
    return distribution == null ? null : distribution.getCacheTopology();
  }

  /// Those of some segments that this node is a read owner of.
  static IntSet owned(@Nullable LocalizedCacheTopology topology, IntSet segments) {
    IntSet owned = IntSets.mutableEmptySet();
    segments
        .intStream()
        .filter(segment -> topology == null || topology.isSegmentReadOwner(segment))
        .forEach(owned::set);
    return owned;
  }

  /// Whether the topology has not changed.
  static boolean isStill(
      @Nullable LocalizedCacheTopology before, @Nullable DistributionManager distribution) {
    return before == null
        || distribution == null
        || before.getTopologyId() == distribution.getCacheTopology().getTopologyId();
  }
}
