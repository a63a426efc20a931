package io.varve.cache.internal.jcache;

import io.varve.cache.CacheListenerOptions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
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

/// One listener of a cache: what it wants to hear, and how it does. Safe for threads.
final class Registration<K, V> implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Registration.class.getName());

  private final CacheEntryListenerConfiguration<K, V> configuration;
  private final CacheEntryListener<? super K, ? super V> listener;
  private final @Nullable CacheEntryEventFilter<? super K, ? super V> filter;
  private final boolean oldValueRequired;
  private final Delivery<K, V> delivery;

  /// While the listener is notified of what is there; else null.
  private volatile @Nullable Replay<K> replay;

  private volatile boolean closed;

  /// Makes the listener.
  ///
  /// @param executor runs what notifies a listener that is not synchronous
  /// @param dropped counts events that are dropped since too many wait
  /// @param mayBeStale whether the listener may believe in entries that are there no more
  Registration(
      CacheEntryListenerConfiguration<K, V> configuration,
      Executor executor,
      Counter dropped,
      BooleanSupplier mayBeStale) {
    this.configuration = configuration;
    this.delivery = delivery(executor, dropped, mayBeStale);
    this.listener = configuration.getCacheEntryListenerFactory().create();
    this.filter = filter(configuration.getCacheEntryEventFilterFactory());
    this.oldValueRequired = configuration.isOldValueRequired();
  }

  /// Makes the filter; if that fails, closes the listener, which no other thread knows.
  private @Nullable CacheEntryEventFilter<? super K, ? super V> filter(
      @Nullable Factory<CacheEntryEventFilter<? super K, ? super V>> filters) {
    try {
      return filters == null ? null : filters.create();
    } catch (RuntimeException | Error e) {
      Closing.closeGiven(listener);
      throw e;
    }
  }

  private Delivery<K, V> delivery(Executor executor, Counter dropped, BooleanSupplier mayBeStale) {
    boolean synchronous = configuration.isSynchronous();
    if (configuration instanceof CacheListenerOptions<K, V> options && options.isCoalescing()) {
      if (synchronous) {
        throw new IllegalArgumentException(
            "a synchronous listener hears of each change before it returns: leave out coalesce");
      }
      return new CoalescedDelivery<>(options, this::deliverOrLog, executor, dropped, mayBeStale);
    }
    return synchronous
        ? event -> deliver(List.of(event))
        : new QueuedDelivery<>(this::deliverOrLog, executor);
  }

  CacheEntryListenerConfiguration<K, V> configuration() {
    return configuration;
  }

  Delivery<K, V> delivery() {
    return delivery;
  }

  boolean isOldValueRequired() {
    return oldValueRequired;
  }

  /// Whether an event of a kind is to be brought to this listener, if only to see what it comes to.
  boolean wants(EventType type) {
    return delivery.needsAll() || replay != null || listensTo(type);
  }

  private boolean listensTo(EventType type) {
    return switch (type) {
      case CREATED -> listener instanceof CacheEntryCreatedListener;
      case UPDATED -> listener instanceof CacheEntryUpdatedListener;
      case REMOVED -> listener instanceof CacheEntryRemovedListener;
      case EXPIRED -> listener instanceof CacheEntryExpiredListener;
    };
  }

  @Nullable Replay<K> replay() {
    return replay;
  }

  void replay(@Nullable Replay<K> begun) {
    replay = begun;
  }

  boolean isClosed() {
    return closed;
  }

  /// Brings an event to the listener.
  ///
  /// @throws CacheEntryListenerException if a synchronous listener failed
  void tell(Event<K, V> event) {
    delivery.tell(event);
  }

  private void deliverOrLog(List<Event<K, V>> events) {
    boolean enters = Nesting.enter();
    try {
      deliver(events);
    } catch (Throwable e) { // an error, too: the next events are not to wait forever
      LOGGER.log(System.Logger.Level.WARNING, "a listener of a cache failed", e);
    } finally {
      if (enters) {
        Nesting.leave();
      }
    }
  }

  /// Calls the listener once for each kind of event. A call, or a filter, that fails keeps no other
  /// from it.
  private void deliver(List<Event<K, V>> events) {
    Map<EventType, List<CacheEntryEvent<? extends K, ? extends V>>> byType =
        new EnumMap<>(EventType.class);
    Closing failures = new Closing();
    for (Event<K, V> event : events) {
      EventType type = event.getEventType();
      failures.step(() -> {
        if (listensTo(type) && !closed && (filter == null || filter.evaluate(event))) {
          byType.computeIfAbsent(type, _ -> new ArrayList<>()).add(event);
        }
      });
    }
    byType.forEach((type, each) -> failures.step(() -> call(type, each)));
    try {
      failures.end();
    } catch (CacheEntryListenerException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheEntryListenerException("a listener failed: cause=" + e, e);
    }
  }

  @SuppressWarnings("unchecked") // asked before
  private void call(EventType type, Iterable<CacheEntryEvent<? extends K, ? extends V>> events) {
    switch (type) {
      case CREATED -> ((CacheEntryCreatedListener<K, V>) listener).onCreated(events);
      case UPDATED -> ((CacheEntryUpdatedListener<K, V>) listener).onUpdated(events);
      case REMOVED -> ((CacheEntryRemovedListener<K, V>) listener).onRemoved(events);
      case EXPIRED -> ((CacheEntryExpiredListener<K, V>) listener).onExpired(events);
    }
  }

  /// Notifies the listener of nothing more, and closes it if it can be closed.
  @Override
  public void close() {
    closed = true;
    delivery.close();
    Closing.closeGiven(listener, filter);
  }
}
