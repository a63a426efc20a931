package io.varve.cache.internal.jcache;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// Brings events to a listener on a thread of the cache, one after the other in the order in which
/// they happened.
final class QueuedDelivery<K, V> implements Delivery<K, V> {
  private final Consumer<Event<K, V>> listener;
  private final Executor executor;

  private final Queue<Event<K, V>> waiting = new ArrayDeque<>(); // guarded by itself
  private boolean delivering; // guarded by waiting

  /// @param listener takes an event, and throws nothing
  QueuedDelivery(Consumer<Event<K, V>> listener, Executor executor) {
    this.listener = listener;
    this.executor = executor;
  }

  @Override
  public void tell(Event<K, V> event) {
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
      listener.accept(event);
    }
  }
}
