package io.varve.cache.internal.jcache;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// Brings events to a listener one after the other, in the order in which they happened. Changes
/// wait without a bound; the replay of what is there, which alone waits for capacity, does not.
final class QueuedDelivery<K, V> extends DeferredDelivery<K, V> {
  /// Events beyond which a replay waits: enough to keep the listener busy, few compared with the
  /// entries.
  private static final int REPLAYED_WAITING_MAX = 1000;

  private final Queue<Event<K, V>> waiting = new ArrayDeque<>(); // guarded by the lock

  QueuedDelivery(Consumer<List<Event<K, V>>> listener, Executor executor) {
    super(listener, executor, REPLAYED_WAITING_MAX);
  }

  @Override
  void add(Event<K, V> event) {
    waiting.add(event);
  }

  @Override
  int waitingCount() {
    return waiting.size();
  }

  /// An event is due immediately.
  @Override
  void awaitDue() {}

  @Override
  List<Event<K, V>> take() {
    Event<K, V> next = waiting.poll();
    return next == null ? List.of() : List.of(next);
  }

  @Override
  void clear() {
    waiting.clear();
  }
}
