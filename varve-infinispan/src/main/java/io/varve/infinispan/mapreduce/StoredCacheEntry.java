package io.varve.infinispan.mapreduce;

import io.varve.cache.CacheEntry;
import io.varve.infinispan.StoredEntry;
import java.lang.foreign.MemorySegment;
import org.infinispan.encoding.DataConversion;
import org.jspecify.annotations.Nullable;

/// An entry that a Varve store holds, for a mapper. Objects are made when they are asked for, once.
final class StoredCacheEntry<K, V> implements CacheEntry<K, V> {
  private final StoredEntry<Object, Object> stored;
  private final DataConversion keys;
  private final DataConversion values;
  private @Nullable K key;
  private @Nullable V value;

  StoredCacheEntry(StoredEntry<Object, Object> stored, DataConversion keys, DataConversion values) {
    this.stored = stored;
    this.keys = keys;
    this.values = values;
  }

  @Override
  @SuppressWarnings("unchecked") // what the cache holds
  public K getKey() {
    K made = key;
    if (made == null) {
      made = (K) keys.fromStorage(stored.key());
      key = made;
    }
    return made;
  }

  @Override
  @SuppressWarnings("unchecked") // what the cache holds
  public V getValue() {
    V made = value;
    if (made == null) {
      made = (V) values.fromStorage(stored.value());
      value = made;
    }
    return made;
  }

  @Override
  public MemorySegment valueBytes() {
    return stored.valueBytes();
  }

  @Override
  public long bytes() {
    return stored.bytes();
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return type.cast(this);
  }
}
