package io.varve.cache.internal.container;

import com.github.benmanes.caffeine.cache.Cache;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// Entries in pages, with those in use on the heap besides, as objects.
///
/// (T1) What is on the heap for a key is what its page holds, or nothing: both change inside the
/// atomic step that Caffeine has for a key, and a reader that finds nothing loads inside it, too.
///
/// @param <K> the keys
/// @param <V> the values
public final class TieredContainer<K, V> implements Container<K, V> {
  private final PagesContainer<K, V> pages;
  private final ValueForm<V> valueForm;
  private final KeyCopies<K> copies;
  private final Cache<K, Held> heap;

  /// Puts a heap before pages.
  public TieredContainer(
      PagesContainer<K, V> pages, HeapBound bound, KeyCopies<K> copies, ValueForm<V> valueForm) {
    this.pages = pages;
    this.copies = copies;
    this.valueForm = valueForm;
    this.heap = bound.newCache(valueForm, (_, _, _) -> {});
  }

  @Override
  public @Nullable Held get(CacheKey<K> key) {
    Held held = heap.getIfPresent(key.key());
    if (held != null) {
      return held;
    }
    return heap.asMap()
        .compute(copies.copy(key.key()), (_, loaded) -> loaded != null ? loaded : load(key));
  }

  private @Nullable Held load(CacheKey<K> key) {
    Held stored = pages.get(key);
    return stored == null
        ? null
        : new Held(valueForm.store(pages.value(stored)), stored.expiresAtMillis());
  }

  @Override
  public V value(Held held) {
    return valueForm.load(held.form());
  }

  @Override
  public void put(CacheKey<K> key, V value, long expiresAtMillis, @Nullable Held before) {
    Held held = new Held(valueForm.store(value), expiresAtMillis);
    heap.asMap()
        .compute(
            copies.copy(key.key()),
            (_, _) -> {
              pages.put(key, value, expiresAtMillis, before);
              return held;
            });
  }

  @Override
  public void expireAt(CacheKey<K> key, Held held, long expiresAtMillis) {
    put(key, value(held), expiresAtMillis, held);
  }

  @Override
  public void remove(CacheKey<K> key, Held before) {
    heap.asMap()
        .compute(
            key.key(),
            (_, _) -> {
              pages.remove(key, before);
              return null;
            });
  }

  @Override
  public Iterator<K> keys(int segment) {
    return pages.keys(segment);
  }

  @Override
  public int segments() {
    return pages.segments();
  }

  @Override
  public int segmentOf(CacheKey<K> key) {
    return pages.segmentOf(key);
  }

  @Override
  public long size() {
    return pages.size();
  }

  @Override
  public long size(int segment) {
    return pages.size(segment);
  }

  @Override
  public void clear() {
    pages.clear();
    heap.invalidateAll();
  }

  @Override
  public Iterator<K> expired(long nowMillis) {
    return pages.expired(nowMillis);
  }

  @Override
  public void force() {
    pages.force();
  }

  @Override
  public void destroy() {
    heap.invalidateAll();
    pages.destroy();
  }

  @Override
  public void close() {
    heap.invalidateAll();
    pages.close();
  }
}
