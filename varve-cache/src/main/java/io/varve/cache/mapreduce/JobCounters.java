package io.varve.cache.mapreduce;

import java.util.concurrent.atomic.LongAdder;

/// What the threads of a job have done. Safe for threads.
final class JobCounters {
  private final LongAdder entries = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder emitted = new LongAdder();
  private final LongAdder combined = new LongAdder();

  /// Notes that an element was mapped.
  void mapped(long elementBytes, long pairsEmitted, long pairsCombined) {
    entries.increment();
    bytes.add(elementBytes);
    emitted.add(pairsEmitted);
    combined.add(pairsCombined);
  }

  long entries() {
    return entries.sum();
  }

  long bytes() {
    return bytes.sum();
  }

  long emitted() {
    return emitted.sum();
  }

  long combined() {
    return combined.sum();
  }
}
