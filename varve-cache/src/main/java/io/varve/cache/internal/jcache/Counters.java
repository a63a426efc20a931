package io.varve.cache.internal.jcache;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// What the statistics of a cache count, while they are on. Safe for threads.
final class Counters {
  final LongAdder hits = new LongAdder();
  final LongAdder misses = new LongAdder();
  final LongAdder puts = new LongAdder();
  final LongAdder removals = new LongAdder();
  final LongAdder evictions = new LongAdder();
  final LongAdder getNanos = new LongAdder();
  final LongAdder putNanos = new LongAdder();
  final LongAdder removalNanos = new LongAdder();

  private volatile boolean on;

  /// Whether anything is counted.
  boolean isOn() {
    return on;
  }

  void turn(boolean enabled) {
    on = enabled;
  }

  /// When an operation begins; 0 if nobody wants to know.
  long start() {
    return on ? System.nanoTime() : 0;
  }

  void lookup(boolean found) {
    if (on) {
      (found ? hits : misses).increment();
    }
  }

  void put() {
    if (on) {
      puts.increment();
    }
  }

  void removal() {
    if (on) {
      removals.increment();
    }
  }

  /// Notes the time since an operation began.
  void took(LongAdder nanos, long start) {
    if (on && start != 0) {
      nanos.add(System.nanoTime() - start);
    }
  }

  void clear() {
    List.of(hits, misses, puts, removals, evictions, getNanos, putNanos, removalNanos)
        .forEach(LongAdder::reset);
  }
}
