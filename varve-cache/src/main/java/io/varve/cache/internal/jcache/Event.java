package io.varve.cache.internal.jcache;

import io.varve.cache.VarveEvent;
import java.io.Serial;
import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/// A change of an entry, as a listener is notified of it.
final class Event<K, V> extends CacheEntryEvent<K, V> implements VarveEvent {
  @Serial private static final long serialVersionUID = 1;

  private final transient K key;
  private final transient @Nullable V value;
  private final transient @Nullable V oldValue;
  private final boolean currentState;

  Event(Cache<K, V> source, EventType type, K key, @Nullable V value, @Nullable V oldValue) {
    this(source, type, key, value, oldValue, false);
  }

  private Event(
      Cache<K, V> source,
      EventType type,
      K key,
      @Nullable V value,
      @Nullable V oldValue,
      boolean currentState) {
    super(source, type);
    this.key = key;
    this.value = value;
    this.oldValue = oldValue;
    this.currentState = currentState;
  }

  /// Reports an entry that was there before.
  static <K, V> Event<K, V> ofCurrentState(Cache<K, V> source, K key, V value) {
    return new Event<>(source, EventType.CREATED, key, value, null, true);
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
  public boolean isCurrentState() {
    return currentState;
  }

  /// What this and the next change of the key come to; null if to nothing.
  ///
  /// @param mayBeKnown whether the listener may have heard of an entry that went without an event
  ///   before this one came: then it hears that it is gone
  @Nullable Event<K, V> followedBy(Event<K, V> next, boolean mayBeKnown) {
    boolean wasThere = getEventType() != EventType.CREATED;
    boolean isThere = isThere(next.getEventType());
    if (!wasThere && !isThere) {
      return mayBeKnown ? next : null;
    }
    EventType type =
        !isThere ? next.getEventType() : wasThere ? EventType.UPDATED : EventType.CREATED;
    // Of what is gone, JCache shows the old value as the value, too.
    return new Event<>(
        next.cache(), type, key, isThere ? next.value : oldValue, oldValue, currentState);
  }

  private static boolean isThere(EventType type) {
    return switch (type) {
      case CREATED, UPDATED -> true;
      case REMOVED, EXPIRED -> false;
    };
  }

  @SuppressWarnings("unchecked") // made with one of these types
  private Cache<K, V> cache() {
    return (Cache<K, V>) getSource();
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("an event is no " + type.getName());
  }
}
