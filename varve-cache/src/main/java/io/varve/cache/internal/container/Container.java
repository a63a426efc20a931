package io.varve.cache.internal.container;

import java.util.BitSet;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// Where the entries of one cache are. It knows when entries expire and reports, but removes none
/// for that reason: the code that uses it does, and notifies listeners.
///
/// A thread that changes a key holds its [KeyLock]; readers need none. A change looks at what is
/// there again, whatever its caller saw: so sizes and the index of ends stay true though a
/// processor may have changed its own key since. A change that a clear overtook has no effect.
///
/// Marshallers, which are code of users, run outside of the steps of changes.
///
/// @param <K> the keys
/// @param <V> the values
public interface Container<K, V> {
  /// What is held for a key, expired or not; null for nothing. Without the lock of the key, nothing
  /// may also mean that the entry is in flight between heap and pages: look again with it.
  @Nullable Held get(CacheKey<K> key);

  /// The value of what is held: the object itself, or a new copy.
  V value(Held held);

  /// Whether two looks found the same entry, unchanged.
  default boolean isSame(Held held, Held other) {
    return held.isSameAs(other);
  }

  /// Notes that an entry was used, so that it may be kept on the heap.
  ///
  /// @param value of what is held
  default void used(CacheKey<K> key, Held held, V value) {}

  /// Makes a value ready for [#put]. What cannot be marshalled, the key included, fails here.
  NewValue<V> newValue(CacheKey<K> key, V value);

  /// Sets a value.
  void put(KeyLock<K> lock, NewValue<V> value, long expiresAtMillis);

  /// Sets when the value of a key ends, if it has one. A crash may undo it.
  void expireAt(KeyLock<K> lock, long expiresAtMillis);

  /// Removes a key.
  void remove(KeyLock<K> lock);

  /// Removes a key whose value has ended. A crash may undo it, since the end is known again then.
  default void expire(KeyLock<K> lock) {
    remove(lock);
  }

  /// Makes the last change of a key survive loss of power, if there is a store that has a
  /// directory.
  default void force(KeyLock<K> lock) {}

  /// Waits until changes under locks that wait later ([KeyLock#waitLater]) survive what changes do.
  default void awaitChanges() {}

  /// Finishes what changes left to be done without the lock of a key. A thread that closed one
  /// calls this.
  default void settle() {}

  /// Keys of segments, weakly consistent: one that is there throughout is met once.
  ///
  /// @param segmentsStart the first segment
  /// @param segmentsEnd the first segment after the last
  Iterator<K> keys(int segmentsStart, int segmentsEnd);

  /// The entries of segments as of one point, expired ones included. Changes wait for as long as it
  /// takes to note what is on the heap alone.
  EntrySnapshot<K, V> snapshot(BitSet segments);

  /// Entries of segments, weakly consistent as [#keys] are.
  ///
  /// @param segmentsStart the first segment
  /// @param segmentsEnd the first segment after the last
  Iterator<Found<K>> entries(int segmentsStart, int segmentsEnd);

  /// The number of segments.
  int segments();

  /// The segment of a key.
  int segmentOf(CacheKey<K> key);

  /// The number of entries, in constant time.
  long size();

  /// The number of entries on the heap, about.
  long heapEntries();

  /// The number of entries in pages, those that are on the heap, too, included.
  long pageEntries();

  /// The number of entries of a segment.
  long size(int segment);

  /// Removes everything.
  void clear();

  /// Keys of entries that are said to have ended by a time; some may since have been given another
  /// end.
  Iterator<K> expired(long nowMillis);

  /// Removes everything, for good. The gate is closed.
  void destroy();

  /// Releases memory. What is in pages stays. The gate is closed.
  void close();
}
