package io.varve.cache.internal.container;

import com.github.benmanes.caffeine.cache.RemovalListener;
import io.varve.Durability;
import io.varve.cache.Marshaller;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Entries in pages, with those in use on the heap as well, as objects. A change goes to the page
/// first, so all that is on the heap is in pages, too.
///
/// @param <K> the keys
/// @param <V> the values
public final class TieredContainer<K, V> extends HotContainer<K, V> {
  /// Puts a heap before pages.
  public TieredContainer(
      PageEntries entries,
      KeyLocks<K> locks,
      HeapBound bound,
      Marshaller<K> keys,
      Marshaller<V> values) {
    super(entries, locks, bound, keys, values);
  }

  @Override
  RemovalListener<K, Held> eviction() {
    return (_, _, _) -> {}; // it is in pages
  }

  /// On the threads that use the cache: to wake another costs more than there is to do.
  @Override
  Executor upkeep() {
    return Runnable::run;
  }

  @Override
  public @Nullable Held get(CacheKey<K> key) {
    Held held = heap.getIfPresent(key.key());
    return held != null ? held : entries.get(key.bytes());
  }

  @Override
  public NewValue<V> newValue(CacheKey<K> key, V value) {
    return inBytes(key, value);
  }

  @Override
  public void put(KeyLock<K> lock, NewValue<V> value, long expiresAtMillis) {
    byte[] key = lock.key().bytes();
    byte[] bytes = (byte[]) value.form();
    K heldKey = values.key(lock.key());
    Held held = new Held(values.store(value.value(), bytes), expiresAtMillis, Held.Place.BOTH);
    lock.runStep(
        gate,
        () -> {
          changePage(
              heldKey, () -> entries.put(key, bytes, expiresAtMillis, entries.durability(lock)));
          heap.put(heldKey, held);
        });
  }

  @Override
  public void expireAt(KeyLock<K> lock, long expiresAtMillis) {
    byte[] key = lock.key().bytes();
    K heldKey = lock.key().key();
    lock.runStep(
        gate,
        () -> {
          changePage(heldKey, () -> entries.expireAt(key, expiresAtMillis));
          heap.asMap().computeIfPresent(heldKey, (_, held) -> held.endingAt(expiresAtMillis));
        });
  }

  @Override
  void remove(KeyLock<K> lock, Durability durability) {
    byte[] key = lock.key().bytes();
    K heldKey = lock.key().key();
    lock.runStep(
        gate,
        () -> {
          changePage(heldKey, () -> entries.remove(key, durability));
          heap.invalidate(heldKey);
        });
  }

  @Override
  public void clear() {
    gate.clear(() -> {
      try {
        entries.clear();
      } finally {
        heap.invalidateAll();
      }
    });
  }

  @Override
  public void destroy() {
    heap.invalidateAll();
    entries.destroy();
  }

  @Override
  public void close() {
    heap.invalidateAll();
  }
}
