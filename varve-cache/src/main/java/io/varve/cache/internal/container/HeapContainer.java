package io.varve.cache.internal.container;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Entries on the heap, in a Caffeine cache that evicts.
///
/// @param <K> the keys
/// @param <V> the values
public final class HeapContainer<K, V> implements Container<K, V> {
  private final Cache<K, Held> heap;
  private final KeyCopies<K> copies;
  private final ValueForm<V> valueForm;
  private final SegmentCounts counts;
  private final LongAdder evictions;

  /// Makes an empty container.
  ///
  /// @param evictions counted up for each entry that gives way to others
  public HeapContainer(
      HeapBound bound,
      KeyCopies<K> copies,
      ValueForm<V> valueForm,
      int segments,
      LongAdder evictions) {
    this.copies = copies;
    this.valueForm = valueForm;
    this.counts = new SegmentCounts(segments);
    this.evictions = evictions;
    this.heap = bound.newCache(valueForm, this::evicted);
  }

  private void evicted(@Nullable K key, @Nullable Held held, RemovalCause cause) {
    evictions.increment();
    if (key != null) {
      counts.add(segmentOf(key), -1);
    }
  }

  private int segmentOf(K key) {
    return Math.floorMod(KeyLocks.spread(key.hashCode()), counts.segments());
  }

  @Override
  public @Nullable Held get(CacheKey<K> key) {
    return heap.getIfPresent(key.key());
  }

  @Override
  public V value(Held held) {
    return valueForm.load(held.form());
  }

  @Override
  public void put(CacheKey<K> key, V value, long expiresAtMillis, @Nullable Held before) {
    Held held = new Held(valueForm.store(value), expiresAtMillis);
    // An entry that is there keeps its key, so a copy is needed for a new one alone.
    if (heap.asMap().replace(key.key(), held) == null
        && heap.asMap().put(copies.copy(key.key()), held) == null) {
      counts.add(segmentOf(key.key()), 1);
    }
  }

  @Override
  public void expireAt(CacheKey<K> key, Held held, long expiresAtMillis) {
    heap.asMap().computeIfPresent(key.key(), (_, now) -> now.until(expiresAtMillis));
  }

  @Override
  public void remove(CacheKey<K> key, Held before) {
    if (heap.asMap().remove(key.key()) != null) {
      counts.add(segmentOf(key.key()), -1);
    }
  }

  @Override
  public Iterator<K> keys(int segment) {
    return heap.asMap().keySet().stream()
        .filter(key -> segmentOf(key) == segment)
        .map(copies::copy)
        .iterator();
  }

  @Override
  public int segments() {
    return counts.segments();
  }

  @Override
  public int segmentOf(CacheKey<K> key) {
    return segmentOf(key.key());
  }

  @Override
  public long size() {
    return counts.total();
  }

  @Override
  public long size(int segment) {
    return counts.of(segment);
  }

  @Override
  public void clear() {
    heap.invalidateAll();
    counts.clear();
  }

  @Override
  public Iterator<K> expired(long nowMillis) {
    return heap.asMap().entrySet().stream()
        .filter(entry -> entry.getValue().isExpired(nowMillis))
        .map(Map.Entry::getKey)
        .map(copies::copy)
        .iterator();
  }

  @Override
  public void force() {
    // Nothing here outlives the process.
  }

  @Override
  public void destroy() {
    clear();
  }

  @Override
  public void close() {
    clear();
  }
}
