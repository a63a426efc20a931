package io.varve.cache.internal.jcache;

import io.varve.cache.CacheListenerOptions;
import io.varve.cache.internal.container.CacheKey;
import io.varve.cache.internal.container.Container;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/// The listeners of a cache. They are told while the key's lock is held, so each hears of the
/// changes of a key in their order. Safe for threads.
final class Listeners<K, V> implements AutoCloseable {
  private final Cache<K, V> cache;
  private final Container<K, V> container;
  private final Executor executor;
  private final Counter dropped;
  private final List<Registration<K, V>> registrations = new CopyOnWriteArrayList<>();

  /// @param dropped counts events that are dropped
  Listeners(Cache<K, V> cache, Container<K, V> container, Executor executor, Counter dropped) {
    this.cache = cache;
    this.container = container;
    this.executor = executor;
    this.dropped = dropped;
  }

  /// Registers a listener, which hears of changes from now on.
  ///
  /// @return it; its replay is under way if it is to hear of what is there
  /// @throws IllegalArgumentException if there is an equal one
  Registration<K, V> register(CacheEntryListenerConfiguration<K, V> configuration) {
    if (registrations.stream().anyMatch(each -> each.configuration().equals(configuration))) {
      throw new IllegalArgumentException("the listener is registered: cache=" + cache.getName());
    }
    Registration<K, V> registration = new Registration<>(configuration, executor, dropped);
    if (configuration instanceof CacheListenerOptions<K, V> options
        && options.includesCurrentState()) {
      registration.replay(new Replay<>(container));
    }
    registrations.add(registration);
    return registration;
  }

  void deregister(CacheEntryListenerConfiguration<K, V> configuration) {
    for (Registration<K, V> each : List.copyOf(registrations)) {
      if (each.configuration().equals(configuration) && registrations.remove(each)) {
        each.close();
      }
    }
  }

  /// Tells all who want to hear of an entry that came or changed. In the turn for its key, when it
  /// is there: whoever registers later finds it there.
  ///
  /// @param oldValue of the entry before, asked for if somebody hears of it; null if it came
  void tellChanged(CacheKey<K> key, V value, @Nullable Supplier<V> oldValue) {
    EventType type = oldValue == null ? EventType.CREATED : EventType.UPDATED;
    V before = null;
    for (Registration<K, V> each : registrations) {
      if (each.wants(type)) {
        if (before == null && oldValue != null) {
          before = oldValue.get();
        }
        tellFirst(each, key, before);
        V told = each.isOldValueRequired() ? before : null;
        each.tell(new Event<>(cache, type, key.key(), value, told));
      }
    }
  }

  /// Tells a listener of the entry that was there, if it has not heard of it.
  private void tellFirst(Registration<K, V> listener, CacheKey<K> key, @Nullable V before) {
    Replay<K> replay = listener.replay();
    if (replay != null && replay.tell(key) && before != null) {
      listener.tell(Event.ofCurrentState(cache, key.key(), before));
    }
  }

  /// Those who are to hear that an entry goes: of one that has not heard that it is there, there is
  /// nothing to tell. Asked for in the turn for its key before it goes: when it has gone, the walk
  /// of a replay may pass where it was, and who registers does not find it.
  List<Registration<K, V>> hearing(EventType type, CacheKey<K> key) {
    if (registrations.isEmpty()) {
      return List.of();
    }
    List<Registration<K, V>> hearing = new ArrayList<>();
    for (Registration<K, V> each : registrations) {
      Replay<K> replay = each.replay();
      if (each.wants(type) && (replay == null || replay.isTold(key))) {
        hearing.add(each);
      }
    }
    return hearing;
  }

  /// Tells of an entry that went, in the same turn.
  ///
  /// @param oldValue asked for if somebody hears of it
  void tellGone(
      List<Registration<K, V>> hearing, EventType type, CacheKey<K> key, Supplier<V> oldValue) {
    if (hearing.isEmpty()) {
      return;
    }
    V before = oldValue.get();
    for (Registration<K, V> each : hearing) {
      V told = each.isOldValueRequired() ? before : null;
      // Of what is gone, JCache shows the old value as the value, too.
      each.tell(new Event<>(cache, type, key.key(), told, told));
    }
  }

  /// Tells a listener of an entry that is there, unless it was. In a turn for the key.
  void tellCurrent(Registration<K, V> listener, CacheKey<K> key, Supplier<V> value) {
    Replay<K> replay = listener.replay();
    if (replay != null && replay.tell(key)) {
      listener.tell(Event.ofCurrentState(cache, key.key(), value.get()));
    }
  }

  /// Waits until no listener has too many changes waiting. Called without any turn.
  void awaitRoom() {
    registrations.forEach(each -> each.delivery().awaitRoom());
  }

  @Override
  public void close() {
    registrations.forEach(Registration::close);
    registrations.clear();
  }
}
