package io.varve.cache.internal.container;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.RemovalListener;
import io.varve.cache.Marshaller;
import java.util.concurrent.Executor;

/// Pages with a heap before them, to which entries that are read come.
///
/// (H1) What is on the heap with [Held.Place#BOTH] is what pages hold for the key. Only steps under
/// the lock of a key put something on the heap. What a read brings there is looked at again in its
/// step: so neither a change nor a clear is undone by what was read before it.
///
/// @param <K> the keys
/// @param <V> the values
abstract sealed class HotContainer<K, V> extends PagedContainer<K, V>
    permits TieredContainer, OverflowContainer {
  final KeyLocks<K> locks;
  final Cache<K, Held> heap;

  HotContainer(
      PageEntries entries,
      KeyLocks<K> locks,
      HeapBound bound,
      Marshaller<K> keys,
      Marshaller<V> values) {
    super(entries, locks.gate(), keys, values);
    this.locks = locks;
    this.heap = bound.newCache(held -> this.values.weight(held.form()), eviction(), upkeep());
  }

  /// What is called for each entry that gives way, in the atomic step that Caffeine has for its
  /// key. Asked for once, while the container is made.
  abstract RemovalListener<K, Held> eviction();

  /// Where entries are put in order and evicted. Asked for once, while the container is made.
  abstract Executor upkeep();

  /// Brings an entry that was read from pages to the heap, unless another thread is changing it.
  @Override
  public final void used(CacheKey<K> key, Held held, V value) {
    if (held.place() != Held.Place.PAGES) {
      return;
    }
    K heldKey = values.key(key);
    Object form = values.store(value, (byte[]) held.form());
    Held hot = new Held(form, held.expiresAtMillis(), Held.Place.BOTH);
    try (KeyLock<K> lock = locks.tryLock(key)) {
      if (lock != null) {
        lock.runStep(
            gate,
            () -> {
              if (heap.getIfPresent(heldKey) == null && isInPages(key.bytes(), held)) {
                heap.put(heldKey, hot);
              }
            });
      }
    }
  }

  /// Whether pages hold what was read from them. No thread changes the key.
  private boolean isInPages(byte[] key, Held held) {
    if (entries.changes(key) == held.changes()) {
      return true;
    }
    Held now = entries.get(key);
    return now != null && now.isSameAs(held);
  }

  @Override
  public final long heapEntries() {
    return heap.estimatedSize();
  }

  /// Runs a change of the page of a key. If it fails, what the page holds is not known, and nothing
  /// of it may be on the heap.
  final void changePage(K key, Runnable change) {
    boolean changed = false;
    try {
      change.run();
      changed = true;
    } finally {
      if (!changed) {
        heap.invalidate(key);
      }
    }
  }
}
