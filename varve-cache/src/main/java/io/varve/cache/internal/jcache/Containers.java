package io.varve.cache.internal.jcache;

import io.varve.Store;
import io.varve.cache.CacheOptions;
import io.varve.cache.Marshaller;
import io.varve.cache.StorageMode;
import io.varve.cache.internal.container.Container;
import io.varve.cache.internal.container.Gate;
import io.varve.cache.internal.container.HeapBound;
import io.varve.cache.internal.container.HeapContainer;
import io.varve.cache.internal.container.KeyLocks;
import io.varve.cache.internal.container.OverflowContainer;
import io.varve.cache.internal.container.PageEntries;
import io.varve.cache.internal.container.PagesContainer;
import io.varve.cache.internal.container.TieredContainer;
import io.varve.cache.internal.container.ValueForm;

/// Makes the container of a cache.
///
/// @param store that a container with pages opens; whoever closes the container says so to it
record Containers(String cacheName, ManagerStore store) {
  /// Entries on the heap beside pages, unless said otherwise.
  private static final long HEAP_ENTRIES_BESIDE_PAGES = 10_000;

  <K, V> Container<K, V> make(
      CacheOptions<K, V> options,
      Gate gate,
      KeyLocks<K> locks,
      Marshaller<K> keys,
      Marshaller<V> values,
      Counters counters) {
    if (options.mode() == StorageMode.HEAP) {
      HeapBound bound = new HeapBound(options.heapEntriesMax(), options.heapBytesMax());
      ValueForm<V> form =
          options.isStoreByValue() || options.heapBytesMax() > 0
              ? new ValueForm.ByValue<>(values)
              : new ValueForm.ByReference<>();
      return new HeapContainer<>(gate, bound, keys, form, options.segments(), counters.evictions);
    }
    Store opened = store.open(cacheName);
    try {
      PageEntries entries =
          new PageEntries(opened, cacheName, options.segments(), options.durability());
      HeapBound bound = boundBesidePages(options);
      return switch (options.mode()) {
        case HEAP -> throw new AssertionError("made above");
        case PAGES -> new PagesContainer<>(entries, gate, keys, values);
        case TIERED -> new TieredContainer<>(entries, gate, locks, bound, keys, values);
        case OVERFLOW ->
            new OverflowContainer<>(entries, gate, locks, bound, keys, values, counters.evictions);
      };
    } catch (RuntimeException | Error e) {
      store.closed(cacheName);
      throw e;
    }
  }

  private static HeapBound boundBesidePages(CacheOptions<?, ?> options) {
    return options.heapEntriesMax() > 0 || options.heapBytesMax() > 0
        ? new HeapBound(options.heapEntriesMax(), options.heapBytesMax())
        : new HeapBound(HEAP_ENTRIES_BESIDE_PAGES, 0);
  }
}
