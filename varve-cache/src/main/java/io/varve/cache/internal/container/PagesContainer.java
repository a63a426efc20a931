package io.varve.cache.internal.container;

import io.varve.Durability;
import io.varve.cache.Marshaller;
import org.jspecify.annotations.Nullable;

/// Entries in the pages of a store, none of them on the heap.
///
/// @param <K> the keys
/// @param <V> the values
public final class PagesContainer<K, V> extends PagedContainer<K, V> {
  /// Makes a container of entries.
  public PagesContainer(PageEntries entries, Gate gate, Marshaller<K> keys, Marshaller<V> values) {
    super(entries, gate, keys, values);
  }

  @Override
  public @Nullable Held get(CacheKey<K> key) {
    return entries.get(key.bytes());
  }

  @Override
  public NewValue<V> newValue(CacheKey<K> key, V value) {
    return inBytes(key, value);
  }

  @Override
  public void put(KeyLock<K> lock, NewValue<V> value, long expiresAtMillis) {
    byte[] key = lock.key().bytes();
    byte[] bytes = (byte[]) value.form();
    lock.runStep(gate, () -> entries.put(key, bytes, expiresAtMillis, entries.durability(lock)));
  }

  @Override
  public void expireAt(KeyLock<K> lock, long expiresAtMillis) {
    byte[] key = lock.key().bytes();
    lock.runStep(gate, () -> entries.expireAt(key, expiresAtMillis));
  }

  @Override
  void remove(KeyLock<K> lock, Durability durability) {
    byte[] key = lock.key().bytes();
    lock.runStep(gate, () -> entries.remove(key, durability));
  }

  @Override
  public long heapEntries() {
    return 0;
  }

  @Override
  public void clear() {
    gate.clear(entries::clear);
  }

  @Override
  public void destroy() {
    entries.destroy();
  }

  @Override
  public void close() {
    // All is in the store, whose owner closes it.
  }
}
