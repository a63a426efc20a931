package io.varve.infinispan.mapreduce;

import io.varve.cache.CacheEntry;
import io.varve.cache.mapreduce.Distributed;
import io.varve.cache.mapreduce.PartPlan;
import io.varve.cache.mapreduce.Parts;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;

/// The entries of a cache of Infinispan in all of the cluster, for jobs that
/// [io.varve.cache.mapreduce.MapReduce] describes. Each node maps the segments that it is the
/// primary owner of, and reads them from its Varve store if it has one. It combines on the spot,
/// and sends pairs in pages to the node that started the job. That node merges, reduces and
/// collates.
///
/// - **Once:** each entry is counted once, also if nodes join, leave or die while it is mapped. Of
///   each segment the job sees what its owner holds when the part begins, as of one time; other
///   nodes, at others. A node that leaves while its results are read ends the job with a
///   [ClusterJobException].
/// - **Classes:** what is sent is written by Java serialization. It is read only if the allow list
///   of the cache manager (`serialization().allowList()`) has the classes of its lambdas and
///   objects, on every node.
/// - **Rights:** where a cache is secured, the user that starts the job needs `BULK_READ`.
///
/// @param <K> the keys
/// @param <V> the values
public final class ClusterEntries<K, V> implements Distributed<CacheEntry<K, V>> {
  private final AdvancedCache<K, V> cache;

  private ClusterEntries(AdvancedCache<K, V> cache) {
    this.cache = cache;
  }

  /// The entries of a cache. Every node that has it needs this library.
  public static <K, V> ClusterEntries<K, V> of(Cache<K, V> cache) {
    return new ClusterEntries<>(cache.getAdvancedCache());
  }

  @Override
  public Parts parts(PartPlan<? super CacheEntry<K, V>, ?, ?> plan) {
    return new ClusterParts(cache, PlanBytes.write(plan));
  }
}
