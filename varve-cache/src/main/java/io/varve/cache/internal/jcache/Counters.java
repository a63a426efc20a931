package io.varve.cache.internal.jcache;

import io.varve.cache.CacheStatistics;
import io.varve.cache.internal.container.Container;
import java.util.List;

/// What a cache counts. Counts cost little and are always on; times are taken while the statistics
/// of JCache are. Safe for threads.
final class Counters {
  /// For calls that are not to be counted.
  static final Counters NONE = new Counters(false);

  final Counter hits = new Counter();
  final Counter misses = new Counter();
  final Counter puts = new Counter();
  final Counter removals = new Counter();
  final Counter evictions = new Counter();
  final Counter expiries = new Counter();
  final Counter loads = new Counter();
  final Counter writes = new Counter();
  final Counter deletions = new Counter();
  final Counter droppedEvents = new Counter();
  final Timing gets = new Timing(new Counter(), new Counter());
  final Timing sets = new Timing(new Counter(), new Counter());
  final Timing removes = new Timing(new Counter(), new Counter());

  private final boolean counts;
  private volatile boolean on;

  /// Calls of a kind that were timed.
  record Timing(Counter count, Counter nanos) {
    private CacheStatistics.Times now() {
      return new CacheStatistics.Times(count.total(), nanos.total());
    }
  }

  /// All at 0, and without times.
  Counters() {
    this(true);
  }

  private Counters(boolean counts) {
    this.counts = counts;
  }

  synchronized void turn(boolean enabled) {
    on = enabled;
    shown().forEach(enabled ? Counter::resume : Counter::pause);
  }

  /// When an operation begins; 0 if no caller wants to know.
  long start() {
    return on ? System.nanoTime() : 0;
  }

  void lookup(boolean found) {
    count(found ? hits : misses, 1);
  }

  void put() {
    count(puts, 1);
  }

  void removal() {
    count(removals, 1);
  }

  /// Adds to one of these.
  void count(Counter counter, long count) {
    if (counts) {
      counter.add(count);
    }
  }

  /// Notes the time since an operation began.
  void took(Timing timing, long start) {
    if (on && start != 0) {
      timing.count.increment();
      timing.nanos.add(System.nanoTime() - start);
    }
  }

  /// Has the bean begin at 0.
  synchronized void clear() {
    shown().forEach(Counter::clear);
  }

  private List<Counter> shown() {
    return List.of(hits, misses, puts, removals, evictions, gets.nanos, sets.nanos, removes.nanos);
  }

  /// What was counted so far, what a container holds, and what waits for a source.
  CacheStatistics now(Container<?, ?> container, long waitingWrites, long droppedWrites) {
    return new CacheStatistics(
        hits.total(),
        misses.total(),
        puts.total(),
        removals.total(),
        evictions.total(),
        expiries.total(),
        loads.total(),
        writes.total(),
        deletions.total(),
        gets.now(),
        sets.now(),
        removes.now(),
        droppedEvents.total(),
        container.size(),
        container.heapEntries(),
        container.pageEntries(),
        waitingWrites,
        droppedWrites);
  }
}
