package io.varve.cache.internal.jcache;

import java.io.Serial;
import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/// A change of an entry, as a listener is told of it.
final class Event<K, V> extends CacheEntryEvent<K, V> {
  @Serial private static final long serialVersionUID = 1;

  private final transient K key;
  private final transient @Nullable V value;
  private final transient @Nullable V oldValue;

  Event(Cache<K, V> source, EventType type, K key, @Nullable V value, @Nullable V oldValue) {
    super(source, type);
    this.key = key;
    this.value = value;
    this.oldValue = oldValue;
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public @Nullable V getValue() {
    return value;
  }

  @Override
  public @Nullable V getOldValue() {
    return oldValue;
  }

  @Override
  public boolean isOldValueAvailable() {
    return oldValue != null;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("an event is no " + type.getName());
  }
}
