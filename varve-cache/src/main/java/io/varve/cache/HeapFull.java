package io.varve.cache;

/// What a put of a cache in mode [StorageMode#HEAP] does that has as many entries or bytes as it
/// may ([CacheOptions#heapEntriesMax(long)], [CacheOptions#heapBytesMax(long)]).
///
/// @since 1.0
public enum HeapFull {
  /// Entries that were used least give way.
  EVICT,

  /// It fails with a [CacheFullException]: for caches whose entries are nowhere else. Entries that
  /// have ended count until a purge removes them, which takes about a second.
  REFUSE
}
