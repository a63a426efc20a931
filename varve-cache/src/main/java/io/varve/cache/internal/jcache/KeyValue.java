package io.varve.cache.internal.jcache;

import javax.cache.Cache;

/// A key and its value.
record KeyValue<K, V>(K key, V value) implements Cache.Entry<K, V> {
  @Override
  public K getKey() {
    return key;
  }

  @Override
  public V getValue() {
    return value;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("an entry is no " + type.getName());
  }
}
