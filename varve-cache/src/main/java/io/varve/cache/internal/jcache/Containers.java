package io.varve.cache.internal.jcache;

import io.varve.Store;
import io.varve.cache.CacheOptions;
import io.varve.cache.HeapFull;
import io.varve.cache.Marshaller;
import io.varve.cache.StorageMode;
import io.varve.cache.internal.container.CacheMarshallers;
import io.varve.cache.internal.container.Container;
import io.varve.cache.internal.container.Gate;
import io.varve.cache.internal.container.HeapBound;
import io.varve.cache.internal.container.HeapContainer;
import io.varve.cache.internal.container.KeyLocks;
import io.varve.cache.internal.container.OverflowContainer;
import io.varve.cache.internal.container.PageEntries;
import io.varve.cache.internal.container.PagesContainer;
import io.varve.cache.internal.container.RecordedClasses;
import io.varve.cache.internal.container.TieredContainer;
import io.varve.cache.internal.container.ValueForm;
import java.util.concurrent.atomic.LongAdder;

/// Makes the container of a cache, and what guards it.
///
/// @param loader where classes of keys and values are looked for first
/// @param evictions counted up for each entry that is lost since there is no capacity
record Containers<K, V>(
    String cacheName, CacheOptions<K, V> options, ClassLoader loader, LongAdder evictions) {
  /// Entries on the heap with pages, unless said otherwise.
  private static final long HEAP_ENTRIES_ABOVE_PAGES = 10_000;

  /// Opens a cache, which may be open in another manager of the same store.
  OpenCache<K, V> open(ManagerStore store) {
    OpenCache.Settings settings = OpenCache.Settings.of(options);
    return options.mode() == StorageMode.HEAP
        ? onHeap(settings)
        : store.join(cacheName, settings, (opened, onEnd) -> inPages(settings, opened, onEnd));
  }

  private OpenCache<K, V> onHeap(OpenCache.Settings settings) {
    Gate gate = new Gate(cacheName);
    HeapBound bound =
        new HeapBound(
            options.heapEntriesMax(),
            options.heapBytesMax(),
            options.heapFull() == HeapFull.REFUSE);
    CacheMarshallers<K, V> marshallers =
        CacheMarshallers.of(options, loader, RecordedClasses.onHeap(cacheName));
    Marshaller<K> keys = marshallers.keys();
    Marshaller<V> values = marshallers.values();
    ValueForm<V> form =
        options.isStoreByValue() || options.heapBytesMax() > 0
            ? new ValueForm.ByValue<>(values)
            : new ValueForm.ByReference<>(values);
    Container<K, V> container =
        new HeapContainer<>(gate, bound, keys, form, options.segments(), evictions);
    return new OpenCache<>(
        settings,
        container,
        gate,
        new KeyLocks<>(gate),
        new OpenCache.Forms<>(keys, form),
        new OpenCache.Base(null, () -> {}));
  }

  private OpenCache<K, V> inPages(OpenCache.Settings settings, Store store, Runnable onEnd) {
    Gate gate = new Gate(cacheName);
    KeyLocks<K> locks = new KeyLocks<>(gate);
    PageEntries entries =
        new PageEntries(store, cacheName, options.segments(), options.durability());
    HeapBound bound = boundAbovePages();
    CacheMarshallers<K, V> marshallers =
        CacheMarshallers.of(options, loader, RecordedClasses.in(store, cacheName));
    Marshaller<K> keys = marshallers.keys();
    Marshaller<V> values = marshallers.values();
    Container<K, V> container =
        switch (options.mode()) {
          case HEAP -> throw new AssertionError("has no pages");
          case PAGES -> new PagesContainer<>(entries, gate, keys, values);
          case TIERED -> new TieredContainer<>(entries, locks, bound, keys, values);
          case OVERFLOW -> new OverflowContainer<>(entries, locks, bound, keys, values, evictions);
        };
    return new OpenCache<>(
        settings,
        container,
        gate,
        locks,
        new OpenCache.Forms<>(keys, new ValueForm.ByValue<>(values)),
        new OpenCache.Base(store, onEnd));
  }

  private HeapBound boundAbovePages() {
    return options.heapEntriesMax() > 0 || options.heapBytesMax() > 0
        ? new HeapBound(options.heapEntriesMax(), options.heapBytesMax(), false)
        : new HeapBound(HEAP_ENTRIES_ABOVE_PAGES, 0, false);
  }
}
