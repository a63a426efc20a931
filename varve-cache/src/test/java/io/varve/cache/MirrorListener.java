package io.varve.cache;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;

/// Does to a map what it hears of a cache, and notes what it should not have heard.
final class MirrorListener<K, V>
    implements CacheEntryCreatedListener<K, V>,
        CacheEntryUpdatedListener<K, V>,
        CacheEntryRemovedListener<K, V>,
        CacheEntryExpiredListener<K, V> {
  final Map<K, V> mirror = new ConcurrentHashMap<>();

  /// Keys that were heard of.
  final Set<K> heard = ConcurrentHashMap.newKeySet();

  /// Keys of events that reported what was there.
  final Set<K> replayed = Collections.synchronizedSet(new LinkedHashSet<>());

  final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();

  private void each(
      Iterable<CacheEntryEvent<? extends K, ? extends V>> events,
      BiConsumer<K, CacheEntryEvent<? extends K, ? extends V>> change) {
    events.forEach(event -> {
      change.accept(event.getKey(), event);
      heard.add(event.getKey());
    });
  }

  private void require(boolean holds, String what, CacheEntryEvent<?, ?> event) {
    if (!holds) {
      faults.add(
          what
              + ": "
              + event.getEventType()
              + " of "
              + event.getKey()
              + ", "
              + event.getOldValue()
              + " -> "
              + event.getValue()
              + ", mirror="
              + mirror.get(event.getKey()));
    }
  }

  @Override
  public void onCreated(Iterable<CacheEntryEvent<? extends K, ? extends V>> events) {
    each(
        events,
        (key, event) -> {
          require(mirror.put(key, event.getValue()) == null, "there already", event);
          if (event.unwrap(VarveEvent.class).isCurrentState()) {
            require(!heard.contains(key), "replayed after changes", event);
            require(replayed.add(key), "replayed twice", event);
          }
        });
  }

  @Override
  public void onUpdated(Iterable<CacheEntryEvent<? extends K, ? extends V>> events) {
    each(
        events,
        (key, event) -> {
          require(!event.unwrap(VarveEvent.class).isCurrentState(), "a replay", event);
          V before = mirror.put(key, event.getValue());
          require(Objects.equals(before, event.getOldValue()), "another before", event);
        });
  }

  @Override
  public void onRemoved(Iterable<CacheEntryEvent<? extends K, ? extends V>> events) {
    each(
        events,
        (key, event) ->
            require(
                Objects.equals(mirror.remove(key), event.getOldValue()), "another before", event));
  }

  @Override
  public void onExpired(Iterable<CacheEntryEvent<? extends K, ? extends V>> events) {
    onRemoved(events);
  }
}
