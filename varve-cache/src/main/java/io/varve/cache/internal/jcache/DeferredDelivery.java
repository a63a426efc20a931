package io.varve.cache.internal.jcache;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Brings events to a listener on a thread of the cache, where they wait until then.
///
/// (D1) One thread at a time delivers, for as long as anything waits. What it takes out is
/// delivered before it takes more: so the changes of a key stay in order.
///
/// (D2) While no thread delivers, the next event begins another: also where none could be had, or
/// the last broke off for lack of memory. Nor does what the listener throws keep events from it.
///
/// Subclasses define what waits and when it is due; all that they implement is called under
/// [#lock].
abstract class DeferredDelivery<K, V> implements Delivery<K, V> {
  private final Consumer<List<Event<K, V>>> listener;
  private final Executor executor;
  private final int waitingAllowed;

  final ReentrantLock lock = new ReentrantLock();
  private final Condition notFull = lock.newCondition();
  private boolean delivering; // guarded by the lock
  private boolean closed; // guarded by the lock; nothing waits from then on

  /// @param listener takes events; what it throws is dropped
  /// @param waitingAllowed events that may wait while no thread has to
  DeferredDelivery(Consumer<List<Event<K, V>>> listener, Executor executor, int waitingAllowed) {
    this.listener = listener;
    this.executor = executor;
    this.waitingAllowed = waitingAllowed;
  }

  /// Lets an event wait, which may leave fewer to wait than before.
  abstract void add(Event<K, V> event);

  /// The number of events that wait.
  abstract int waitingCount();

  /// Waits until what waits is due, if it is not immediately.
  abstract void awaitDue();

  /// Takes out what is to be delivered next; nothing if nothing waits.
  abstract List<Event<K, V>> take();

  /// Forgets all that waits, and wakes the thread that waits until it is due.
  abstract void clear();

  @Override
  public final void tell(Event<K, V> event) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      add(event);
      signalCapacity();
      if (delivering || waitingCount() == 0) {
        return;
      }
      delivering = true;
    } finally {
      lock.unlock();
    }
    boolean begun = false;
    try {
      executor.execute(this::deliverWaiting);
      begun = true;
    } finally {
      if (!begun) {
        endDelivery();
      }
    }
  }

  private void deliverWaiting() {
    boolean isDone = false;
    try {
      for (List<Event<K, V>> due = nextDue(); !due.isEmpty(); due = nextDue()) {
        deliver(due);
      }
      isDone = true;
    } finally {
      if (!isDone) {
        endDelivery();
      }
    }
  }

  private void deliver(List<Event<K, V>> due) {
    try {
      listener.accept(due);
    } catch (RuntimeException | Error _) {
      // It logs what the listener throws, and a logger may throw as well (D2).
    }
  }

  /// Lets the next event begin a delivery (D2).
  private void endDelivery() {
    lock.lock();
    try {
      delivering = false;
    } finally {
      lock.unlock();
    }
  }

  /// Takes out what is due; nothing if nothing waits, and this thread is done.
  private List<Event<K, V>> nextDue() {
    lock.lock();
    try {
      awaitDue();
      List<Event<K, V>> due = take();
      delivering = !due.isEmpty();
      signalCapacity();
      return due;
    } finally {
      lock.unlock();
    }
  }

  private void signalCapacity() {
    if (waitingCount() <= waitingAllowed) {
      notFull.signalAll();
    }
  }

  @Override
  public final void awaitCapacity() {
    lock.lock();
    try {
      while (waitingCount() > waitingAllowed) {
        notFull.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final void close() {
    lock.lock();
    try {
      closed = true;
      clear();
      signalCapacity();
    } finally {
      lock.unlock();
    }
  }
}
