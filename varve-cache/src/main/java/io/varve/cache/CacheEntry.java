package io.varve.cache;

import java.lang.foreign.MemorySegment;
import javax.cache.Cache;

/// An entry that a stream gave. Key and value are made into objects when they are asked for, by the
/// thread that asks, and once: so they pass to the threads of a parallel stream as bytes, where
/// they are bytes.
///
/// Holds all that it shows, and so outlives its stream and what happens to the cache. For one
/// thread at a time.
///
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public interface CacheEntry<K, V> extends Cache.Entry<K, V> {
  /// The value as its marshaller writes it, read-only. Takes neither an object nor a copy where the
  /// cache holds bytes, as it does in pages; values that the heap holds as objects are marshalled.
  MemorySegment valueBytes();

  /// About the bytes of key and value in the form in which the cache holds them: strings on the
  /// heap count by their length, other objects there as 8.
  long bytes();
}
