package io.varve.cache;

import java.util.Iterator;
import java.util.concurrent.ConcurrentMap;
import javax.cache.Cache;

/// A JCache cache, and what Varve's can do besides. `cache.unwrap(VarveCache.class)` gives it.
///
/// - **Threads:** safe for any number of threads, platform or virtual. Changes of one key happen
///   one after the other; listeners hear of them in that order.
/// - **Durability:** as [CacheOptions#durability] says, in modes that have pages.
///
/// @param <K> the keys
/// @param <V> the values
public interface VarveCache<K, V> extends Cache<K, V> {
  /// The same cache, used otherwise. Closing the view closes the cache.
  ///
  /// @param flags added to those that this view has
  VarveCache<K, V> with(Flag... flags);

  /// The cache as a map, whose calls are those of the cache: they load and write through, tell
  /// listeners and count. Its iterators are weakly consistent; an entry that it gives shows the
  /// value that was met, and puts the value that is set. `clear` is [#removeAll()].
  ConcurrentMap<K, V> asMap();

  /// The number of entries, expired ones that nobody has asked for since included. Takes constant
  /// time.
  long size();

  /// Figures of the cache since it was opened here. Cheap enough to poll.
  CacheStatistics statistics();

  /// The number of segments that entries are spread over by the hash of their keys.
  int segments();

  /// The segment that a key belongs to, from 0.
  int segmentOf(K key);

  /// The number of entries of one segment, as [#size] counts them.
  long size(int segment);

  /// The entries of one segment, weakly consistent. It counts as no use of an entry.
  Iterator<Entry<K, V>> segment(int segment);
}
