package io.varve.cache.internal.container;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalListener;
import java.util.concurrent.Executor;
import java.util.function.ToLongFunction;

/// How much a cache may keep on the heap: a number of entries, or bytes, or all.
///
/// @param entriesMax 0 for no bound
/// @param bytesMax 0 for no bound
/// @param refuses whether what is more is refused, and not evicted
public record HeapBound(long entriesMax, long bytesMax, boolean refuses) {
  /// What an entry takes in addition to its key and value, about: Caffeine's node, the held value,
  /// headers.
  private static final int ENTRY_BYTES = 120;

  /// Makes an empty cache that keeps to the bound.
  ///
  /// @param valueBytes about the bytes that a value takes
  /// @param onEviction called for each entry that gives way, while no other thread sees its key
  /// @param upkeep runs what orders entries by their use, and evicts them
  <K, S> Cache<K, S> newCache(
      ToLongFunction<S> valueBytes, RemovalListener<K, S> onEviction, Executor upkeep) {
    Caffeine<Object, Object> builder = Caffeine.newBuilder().executor(upkeep);
    if (refuses) {
      return builder.build(); // what is in it has been admitted: HeapAdmission
    }
    if (bytesMax > 0) {
      return builder
          .maximumWeight(bytesMax)
          .weigher((K key, S value) -> weight(key, valueBytes.applyAsLong(value)))
          .evictionListener(onEviction)
          .build();
    }
    return entriesMax > 0
        ? builder.maximumSize(entriesMax).<K, S>evictionListener(onEviction).build()
        : builder.build();
  }

  /// What an entry takes of a number of bytes.
  static int weight(Object key, long valueBytes) {
    long keyBytes = key instanceof String text ? text.length() : Long.BYTES;
    return (int) Math.min(Integer.MAX_VALUE, ENTRY_BYTES + keyBytes + valueBytes);
  }
}
