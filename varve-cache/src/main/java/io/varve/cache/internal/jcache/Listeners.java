package io.varve.cache.internal.jcache;

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
  private final Executor executor;
  private final List<Registration<K, V>> registrations = new CopyOnWriteArrayList<>();

  Listeners(Cache<K, V> cache, Executor executor) {
    this.cache = cache;
    this.executor = executor;
  }

  /// @throws IllegalArgumentException if there is an equal one
  void register(CacheEntryListenerConfiguration<K, V> configuration) {
    if (registrations.stream().anyMatch(each -> each.configuration().equals(configuration))) {
      throw new IllegalArgumentException("the listener is registered: cache=" + cache.getName());
    }
    registrations.add(new Registration<>(configuration, executor));
  }

  void deregister(CacheEntryListenerConfiguration<K, V> configuration) {
    for (Registration<K, V> each : List.copyOf(registrations)) {
      if (each.configuration().equals(configuration) && registrations.remove(each)) {
        each.close();
      }
    }
  }

  /// Whether anybody wants to hear of events of a kind.
  boolean areInterested(EventType type) {
    for (Registration<K, V> each : registrations) {
      if (each.wants(type)) {
        return true;
      }
    }
    return false;
  }

  /// Tells all who want to hear.
  ///
  /// @param value of the entry now; null if it is there no more
  /// @param oldValue of the entry before, asked for if somebody hears of it; null for none
  void tell(EventType type, K key, @Nullable V value, @Nullable Supplier<V> oldValue) {
    if (registrations.isEmpty() || !areInterested(type)) {
      return;
    }
    V before = oldValue == null ? null : oldValue.get();
    for (Registration<K, V> each : registrations) {
      if (each.wants(type)) {
        V told = each.isOldValueRequired() ? before : null;
        // Of what is gone, JCache shows the old value as the value, too.
        each.tell(new Event<>(cache, type, key, value == null ? told : value, told));
      }
    }
  }

  @Override
  public void close() {
    registrations.forEach(Registration::close);
    registrations.clear();
  }
}
