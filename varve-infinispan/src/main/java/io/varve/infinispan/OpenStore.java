package io.varve.infinispan;

import io.varve.Range;
import io.varve.Store;
import java.nio.file.Path;
import java.util.List;
import org.infinispan.Cache;
import org.jspecify.annotations.Nullable;

/// The Varve store of a cache, from its open to its close.
public final class OpenStore {
  private final Cache<?, ?> cache;
  private final @Nullable Path directory;
  private final Store store;
  private final CacheEntries entries;

  OpenStore(Cache<?, ?> cache, @Nullable Path directory, Store store, CacheEntries entries) {
    this.cache = cache;
    this.directory = directory;
    this.store = store;
    this.entries = entries;
  }

  /// The cache whose entries are in the store. It may not run yet.
  public Cache<?, ?> cache() {
    return cache;
  }

  /// The directory of the files, or null if the store is in memory.
  public @Nullable Path directory() {
    return directory;
  }

  /// The store, to ask for figures: what it holds is the cache's alone to change.
  public Store store() {
    return store;
  }

  /// The number of entries, those that have expired and were not purged yet included. Cheap enough
  /// to poll.
  public long entryCount() {
    return entries.count(List.of(Range.all()));
  }

  /// What the store holds, as of this call, to be written elsewhere. Close it.
  public StoreCopy copy() {
    return entries.copy();
  }
}
