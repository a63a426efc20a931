package io.varve.cache.internal.container;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// Where the entries of one cache are. It knows when entries expire and tells, but removes none for
/// that reason: who uses it does, and says so to listeners.
///
/// Whoever changes a key holds its lock ([KeyLocks]); readers hold none.
///
/// @param <K> the keys
/// @param <V> the values
public interface Container<K, V> extends AutoCloseable {
  /// What is held for a key, expired or not; null for nothing.
  @Nullable Held get(CacheKey<K> key);

  /// The value of what is held: the object itself, or a new copy.
  V value(Held held);

  /// Sets a value.
  ///
  /// @param before what [#get] gives for the key now
  void put(CacheKey<K> key, V value, long expiresAtMillis, @Nullable Held before);

  /// Sets when the value of a key ends.
  void expireAt(CacheKey<K> key, Held held, long expiresAtMillis);

  /// Removes a key.
  ///
  /// @param before what [#get] gives for the key now
  void remove(CacheKey<K> key, Held before);

  /// Keys of a segment, weakly consistent.
  Iterator<K> keys(int segment);

  /// The number of segments.
  int segments();

  /// The segment of a key.
  int segmentOf(CacheKey<K> key);

  /// The number of entries, in constant time.
  long size();

  /// The number of entries of a segment.
  long size(int segment);

  /// Removes everything. The caller holds all locks.
  void clear();

  /// Keys of entries that are said to have ended by a time, each once; some may since have been
  /// given another end.
  Iterator<K> expired(long nowMillis);

  /// Makes all changes before the call survive loss of power, if they are in pages of a store that
  /// has a directory.
  void force();

  /// Removes everything, for good.
  void destroy();

  /// Lets go of memory. What is in pages stays.
  @Override
  void close();
}
