package io.varve.cache;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.expiry.ExpiryPolicy;

/// A JCache cache, and what Varve's can do in addition. `cache.unwrap(VarveCache.class)` gives it.
///
/// - **Threads:** safe for any number of threads, platform or virtual. Changes of one key happen
///   one after the other; listeners hear of them in that order.
/// - **Durability:** as [CacheOptions#durability] sets it, in modes that have pages.
///
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public interface VarveCache<K, V> extends Cache<K, V> {
  /// The same cache, used otherwise. Closing the view closes the cache.
  ///
  /// @param flags added to those that this view has
  VarveCache<K, V> with(Flag... flags);

  /// The same cache, whose calls ask another policy when the entries end that they set or use. What
  /// calls of other views do later is decided by the policies of those. The policy is not closed
  /// with the cache.
  ///
  /// @param policy a duration that it gives as null leaves the end of an entry as it is; one that
  ///   fails does so, too
  VarveCache<K, V> withExpiry(ExpiryPolicy policy);

  /// Sets the value of a key, as [#put(Object, Object)] does. The entry has a time to live of its
  /// own, instead of what the policy of the cache sets. The end is stored with the entry: it is
  /// exact on reads, and survives what the entry survives.
  ///
  /// A later use is asked of the policy as of any entry: one that counts from the last use moves
  /// the end, and the policies that count from creation or change do not.
  ///
  /// @param ttl from now, above 0; parts of a millisecond count as a whole one
  /// @throws IllegalArgumentException if `ttl` is not above 0
  void put(K key, V value, Duration ttl);

  /// Sets the value of a key that has none, as [#putIfAbsent(Object, Object)], with a time to live
  /// as [#put(Object, Object, Duration)] has it.
  ///
  /// @return whether the value was set
  /// @throws IllegalArgumentException if `ttl` is not above 0
  boolean putIfAbsent(K key, V value, Duration ttl);

  /// When the entry of a key ends: [Instant#MAX] if never, and empty if there is no entry. It
  /// counts as no use, calls no loader, and is not counted.
  Optional<Instant> expiresAt(K key);

  /// Removes the entry of a key if its value cannot be read: if a read of it fails with an
  /// [UnreadableEntryException]. It is removed from the cache alone, whatever writer the cache has,
  /// and logged. Listeners are notified of a removal without a value.
  ///
  /// @return whether it was removed; false as well if another thread has removed or replaced it
  boolean removeUnreadable(K key);

  /// The cache as a map, whose calls are those of the cache: they load and write through, notify
  /// listeners and count. Its iterators are weakly consistent; an entry that it gives shows the
  /// value that was met, and puts the value that is set. `clear` is [#removeAll()].
  ConcurrentMap<K, V> asMap();

  /// The number of entries, expired ones that no caller has asked for since included. Takes
  /// constant time.
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

  /// The entries as of now, in every mode: what is put, removed or cleared later is not seen.
  /// Entries that have ended are left out. It counts as no use of an entry. Close the stream; in
  /// modes with pages it holds a snapshot of the store.
  ///
  /// - **Cost:** entries in pages are read a leaf at a time by each thread. Those that are on the
  ///   heap alone are noted when this is called, a small object each, and changes wait during that.
  Stream<CacheEntry<K, V>> stream();

  /// The entries of some segments, as by [#stream()].
  ///
  /// @throws IndexOutOfBoundsException if there is no such segment
  Stream<CacheEntry<K, V>> stream(Set<Integer> segments);

  /// The entries as by [#stream()], shared among cores: threads take segments, and parts of one
  /// where it is the last. Each makes objects of what it takes.
  default Stream<CacheEntry<K, V>> parallelStream() {
    return stream().parallel();
  }

  /// The entries of some segments, as by [#parallelStream()].
  default Stream<CacheEntry<K, V>> parallelStream(Set<Integer> segments) {
    return stream(segments).parallel();
  }
}
