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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Brings events to a listener in batches, in which a key has one event at most.
///
/// (C1) A key waits in the position that its first change took, and what its changes come to waits
/// there. So no change waits for longer than that first one.
final class CoalescedDelivery<K, V> extends DeferredDelivery<K, V> {
  private static final System.Logger LOGGER = System.getLogger(CoalescedDelivery.class.getName());

  private final int batchMax;
  private final int dueAt;
  private final long delayNanos;
  private final int waitingMax;
  private final boolean drops;
  private final Counter dropped;
  private final BooleanSupplier mayBeStale;

  private final Condition due = lock.newCondition();
  private final Map<K, Waiting<K, V>> waiting = new LinkedHashMap<>(); // guarded by the lock
  private boolean warned; // guarded by the lock

  /// What the changes of a key come to, and since when the first of them waits.
  private record Waiting<K, V>(Event<K, V> event, long sinceNanos) {}

  /// @param listener takes a batch, and throws nothing
  /// @param dropped counts events that were dropped
  /// @param mayBeStale whether the listener may believe in entries that are there no more
  CoalescedDelivery(
      CacheListenerOptions<K, V> options,
      Consumer<List<Event<K, V>>> listener,
      Executor executor,
      Counter dropped,
      BooleanSupplier mayBeStale) {
    super(listener, executor, waitingAllowed(options));
    this.batchMax = options.batchEventsMax();
    this.delayNanos = TimeUnit.NANOSECONDS.convert(options.delayMax()); // 292 years at most
    this.waitingMax = options.waitingKeysMax();
    this.dueAt = Math.min(batchMax, waitingMax); // no more may come to it
    this.drops = drops(options);
    this.dropped = dropped;
    this.mayBeStale = mayBeStale;
  }

  private static boolean drops(CacheListenerOptions<?, ?> options) {
    return options.whenFull() == WhenFull.DROP_OLDEST;
  }

  /// One change may exceed the bound; or, for the replay, which alone waits where the oldest are
  /// dropped, the next event is to drop none.
  private static int waitingAllowed(CacheListenerOptions<?, ?> options) {
    return drops(options) ? options.waitingKeysMax() - 1 : options.waitingKeysMax();
  }

  /// Which of the events a listener wants is known when no more changes come to them.
  @Override
  public boolean needsAll() {
    return true;
  }

  @Override
  void add(Event<K, V> event) {
    K key = event.getKey();
    Waiting<K, V> before = waiting.get(key);
    if (before == null) {
      waiting.put(key, new Waiting<>(event, System.nanoTime()));
    } else {
      coalesce(key, before, event);
    }
    if (!drops) {
      Nesting.reported(this);
    } else if (waiting.size() > waitingMax) {
      dropOldest();
    }
    if (waiting.size() >= dueAt) {
      due.signal();
    }
  }

  private void coalesce(K key, Waiting<K, V> before, Event<K, V> next) {
    Event<K, V> both = before.event.followedBy(next, mayBeStale.getAsBoolean());
    if (both == null) {
      waiting.remove(key);
    } else {
      waiting.put(key, new Waiting<>(both, before.sinceNanos)); // in the position it has (C1)
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

  @Override
  int waitingCount() {
    return waiting.size();
  }

  @Override
  void awaitDue() {
    boolean interrupted = false;
    long nanos = nanosToGather();
    while (nanos > 0 && !interrupted) {
      try {
        nanos = Math.min(due.awaitNanos(nanos), nanosToGather());
      } catch (InterruptedException e) {
        interrupted = true; // the listener alone may have had a reason to: no change waits longer
      }
    }
  }

  /// How long the batch that is to come next may wait for more; not above 0 if it is due.
  private long nanosToGather() {
    if (waiting.isEmpty() || waiting.size() >= dueAt) {
      return 0;
    }
    long since = waiting.values().iterator().next().sinceNanos;
    return delayNanos - (System.nanoTime() - since);
  }

  @Override
  List<Event<K, V>> take() {
    List<Event<K, V>> batch = new ArrayList<>(Math.min(batchMax, waiting.size()));
    Iterator<Waiting<K, V>> first = waiting.values().iterator();
    while (first.hasNext() && batch.size() < batchMax) {
      batch.add(first.next().event);
      first.remove();
    }
    return batch;
  }

  @Override
  void clear() {
    waiting.clear();
    due.signal();
  }
}
