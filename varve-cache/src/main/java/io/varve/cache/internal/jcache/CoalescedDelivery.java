package io.varve.cache.internal.jcache;

import io.varve.cache.CacheListenerOptions;
import io.varve.cache.WhenFull;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Brings events to a listener in batches, in which a key has one event at most.
///
/// - (C1) A key waits in the place that its first change took, and what its changes come to waits
///   there. So no change waits for longer than that first one.
/// - (C2) One thread at a time delivers, for as long as anything waits. A batch is taken out before
///   it is delivered, and the next is taken after that: so the changes of a key stay in order.
final class CoalescedDelivery<K, V> implements Delivery<K, V> {
  private static final System.Logger LOGGER = System.getLogger(CoalescedDelivery.class.getName());

  private final Consumer<List<Event<K, V>>> listener;
  private final Executor executor;
  private final int batchMax;
  private final int dueAt;
  private final long delayNanos;
  private final int waitingMax;
  private final boolean drops;
  private final Counter dropped;
  private final BooleanSupplier mayBeBehind;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final Condition room = lock.newCondition();

  private final Map<K, Waiting<K, V>> waiting = new LinkedHashMap<>(); // guarded by the lock
  private boolean delivering; // guarded by the lock
  private boolean warned; // guarded by the lock
  private boolean closed; // guarded by the lock

  /// What the changes of a key come to, and since when the first of them waits.
  private record Waiting<K, V>(Event<K, V> event, long sinceNanos) {}

  /// @param listener takes a batch, and throws nothing
  /// @param dropped counts events that were dropped
  /// @param mayBeBehind whether the listener may believe in entries that are there no more
  CoalescedDelivery(
      CacheListenerOptions<K, V> options,
      Consumer<List<Event<K, V>>> listener,
      Executor executor,
      Counter dropped,
      BooleanSupplier mayBeBehind) {
    this.listener = listener;
    this.executor = executor;
    this.batchMax = options.batchEventsMax();
    this.delayNanos = TimeUnit.NANOSECONDS.convert(options.delayMax()); // 292 years at most
    this.waitingMax = options.waitingKeysMax();
    this.dueAt = Math.min(batchMax, waitingMax); // no more may come to it
    this.drops = options.whenFull() == WhenFull.DROP_OLDEST;
    this.dropped = dropped;
    this.mayBeBehind = mayBeBehind;
  }

  /// Which of the events a listener wants is known when no more changes come to them.
  @Override
  public boolean needsAll() {
    return true;
  }

  @Override
  public void tell(Event<K, V> event) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      add(event);
      if (!drops) {
        Nesting.told(this);
      } else if (waiting.size() > waitingMax) {
        dropOldest();
      }
      if (waiting.size() >= dueAt) {
        more.signal();
      }
      if (delivering || waiting.isEmpty()) {
        return;
      }
      delivering = true;
    } finally {
      lock.unlock();
    }
    executor.execute(this::deliverWaiting);
  }

  private void add(Event<K, V> event) {
    K key = event.getKey();
    Waiting<K, V> before = waiting.get(key);
    if (before == null) {
      waiting.put(key, new Waiting<>(event, System.nanoTime()));
      return;
    }
    Event<K, V> both = before.event.followedBy(event, mayBeBehind.getAsBoolean());
    if (both == null) {
      waiting.remove(key);
      room.signalAll();
    } else {
      waiting.put(key, new Waiting<>(both, before.sinceNanos)); // in the place it has (C1)
    }
  }

  private void dropOldest() {
    Iterator<K> oldest = waiting.keySet().iterator();
    oldest.next();
    oldest.remove();
    dropped.increment();
    if (!warned) {
      warned = true;
      LOGGER.log(
          System.Logger.Level.WARNING,
          "a listener of a cache is too slow, and misses changes: waitingKeysMax={0}",
          waitingMax);
    }
  }

  private void deliverWaiting() {
    while (true) {
      List<Event<K, V>> batch = nextBatch();
      if (batch == null) {
        return;
      }
      listener.accept(batch);
    }
  }

  /// Waits until a batch is due, and takes it out; null if nothing waits, and this thread is done.
  private @Nullable List<Event<K, V>> nextBatch() {
    lock.lock();
    try {
      boolean interrupted = false;
      long nanos = nanosToGather();
      while (nanos > 0 && !interrupted) {
        try {
          nanos = Math.min(more.awaitNanos(nanos), nanosToGather());
        } catch (InterruptedException e) {
          interrupted = true; // the listener alone may have had a reason to: no change waits longer
        }
      }
      if (closed || waiting.isEmpty()) {
        delivering = false;
        return null;
      }
      return take();
    } finally {
      lock.unlock();
    }
  }

  /// How long the batch that is to come next may wait for more; not above 0 if it is due.
  private long nanosToGather() {
    if (closed || waiting.isEmpty() || waiting.size() >= dueAt) {
      return 0;
    }
    long since = waiting.values().iterator().next().sinceNanos;
    return delayNanos - (System.nanoTime() - since);
  }

  private List<Event<K, V>> take() {
    List<Event<K, V>> batch = new ArrayList<>(Math.min(batchMax, waiting.size()));
    Iterator<Waiting<K, V>> first = waiting.values().iterator();
    while (first.hasNext() && batch.size() < batchMax) {
      batch.add(first.next().event);
      first.remove();
    }
    room.signalAll();
    return batch;
  }

  /// Waits for what one change may exceed, or, for the replay alone, until the next event would
  /// drop none.
  @Override
  public void awaitRoom() {
    int waitingAllowed = drops ? waitingMax - 1 : waitingMax;
    lock.lock();
    try {
      while (waiting.size() > waitingAllowed && !closed) {
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
      more.signal();
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
