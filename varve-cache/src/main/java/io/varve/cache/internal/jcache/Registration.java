package io.varve.cache.internal.jcache;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/// One listener of a cache.
///
/// One that is not synchronous hears of events on a thread of the cache, one after the other in the
/// order in which they happened. Safe for threads.
final class Registration<K, V> implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Registration.class.getName());

  private final CacheEntryListenerConfiguration<K, V> configuration;
  private final CacheEntryListener<? super K, ? super V> listener;
  private final @Nullable CacheEntryEventFilter<? super K, ? super V> filter;
  private final boolean synchronous;
  private final boolean oldValueRequired;
  private final Executor executor;

  private final Queue<Event<K, V>> waiting = new ArrayDeque<>(); // guarded by itself
  private boolean delivering; // guarded by waiting
  private volatile boolean closed;

  Registration(CacheEntryListenerConfiguration<K, V> configuration, Executor executor) {
    this.configuration = configuration;
    this.executor = executor;
    this.listener = configuration.getCacheEntryListenerFactory().create();
    Factory<CacheEntryEventFilter<? super K, ? super V>> filters =
        configuration.getCacheEntryEventFilterFactory();
    this.filter = filters == null ? null : filters.create();
    this.synchronous = configuration.isSynchronous();
    this.oldValueRequired = configuration.isOldValueRequired();
  }

  CacheEntryListenerConfiguration<K, V> configuration() {
    return configuration;
  }

  boolean wants(EventType type) {
    return switch (type) {
      case CREATED -> listener instanceof CacheEntryCreatedListener;
      case UPDATED -> listener instanceof CacheEntryUpdatedListener;
      case REMOVED -> listener instanceof CacheEntryRemovedListener;
      case EXPIRED -> listener instanceof CacheEntryExpiredListener;
    };
  }

  /// Tells of an event that is wanted: at once, or later.
  ///
  /// @throws CacheEntryListenerException if a synchronous listener failed
  void tell(Event<K, V> event) {
    if (synchronous) {
      deliver(event);
      return;
    }
    synchronized (waiting) {
      waiting.add(event);
      if (delivering) {
        return;
      }
      delivering = true;
    }
    executor.execute(this::deliverWaiting);
  }

  private void deliverWaiting() {
    while (true) {
      Event<K, V> event;
      synchronized (waiting) {
        event = waiting.poll();
        if (event == null) {
          delivering = false;
          return;
        }
      }
      try {
        deliver(event);
      } catch (Throwable e) { // an error, too: the next event is not to wait for ever
        LOGGER.log(System.Logger.Level.WARNING, "a listener of a cache failed", e);
      }
    }
  }

  @SuppressWarnings("unchecked") // asked before
  private void deliver(Event<K, V> event) {
    try {
      if (closed || (filter != null && !filter.evaluate(event))) {
        return;
      }
      Iterable<CacheEntryEvent<? extends K, ? extends V>> one = List.of(event);
      switch (event.getEventType()) {
        case CREATED -> ((CacheEntryCreatedListener<K, V>) listener).onCreated(one);
        case UPDATED -> ((CacheEntryUpdatedListener<K, V>) listener).onUpdated(one);
        case REMOVED -> ((CacheEntryRemovedListener<K, V>) listener).onRemoved(one);
        case EXPIRED -> ((CacheEntryExpiredListener<K, V>) listener).onExpired(one);
      }
    } catch (CacheEntryListenerException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheEntryListenerException("a listener failed: cause=" + e, e);
    }
  }

  /// Tells the listener nothing more, and closes it if it can be closed.
  @Override
  public void close() {
    closed = true;
    Closing.closeGiven(listener, filter);
  }

  boolean isOldValueRequired() {
    return oldValueRequired;
  }
}
