package io.varve.cache.internal.jcache;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Brings events to a listener on a thread of the cache, one after the other in the order in which
/// they happened. Changes wait without a bound; the replay of what is there does not.
final class QueuedDelivery<K, V> implements Delivery<K, V> {
  /// Events beyond which a replay waits: enough to keep the listener busy, few beside the entries.
  private static final int REPLAYED_WAITING_MAX = 1000;

  private final Consumer<Event<K, V>> listener;
  private final Executor executor;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();

  private final Queue<Event<K, V>> waiting = new ArrayDeque<>(); // guarded by the lock
  private boolean delivering; // guarded by the lock
  private boolean closed; // guarded by the lock

  /// @param listener takes an event, and throws nothing
  QueuedDelivery(Consumer<Event<K, V>> listener, Executor executor) {
    this.listener = listener;
    this.executor = executor;
  }

  @Override
  public void tell(Event<K, V> event) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      waiting.add(event);
      if (delivering) {
        return;
      }
      delivering = true;
    } finally {
      lock.unlock();
    }
    executor.execute(this::deliverWaiting);
  }

  private void deliverWaiting() {
    while (true) {
      Event<K, V> event = next();
      if (event == null) {
        return;
      }
      listener.accept(event);
    }
  }

  /// Takes out the next event; null if none waits, and this thread is done.
  private @Nullable Event<K, V> next() {
    lock.lock();
    try {
      Event<K, V> event = waiting.poll();
      delivering = event != null;
      if (waiting.size() == REPLAYED_WAITING_MAX) {
        room.signalAll();
      }
      return event;
    } finally {
      lock.unlock();
    }
  }

  /// Waits for room for the replay, which alone does.
  @Override
  public void awaitRoom() {
    lock.lock();
    try {
      while (waiting.size() > REPLAYED_WAITING_MAX && !closed) {
        room.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      waiting.clear();
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
