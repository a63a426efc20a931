package io.varve.cache.internal.mapreduce;

import java.util.concurrent.atomic.LongAdder;

/// What the threads of a job have done. Safe for threads.
public final class JobCounters {
  private final LongAdder entries = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder emitted = new LongAdder();
  private final LongAdder combined = new LongAdder();

  /// Notes that an element was mapped.
  public void mapped(long elementBytes, long pairsEmitted, long pairsCombined) {
    entries.increment();
    bytes.add(elementBytes);
    emitted.add(pairsEmitted);
    combined.add(pairsCombined);
  }

  public long entries() {
    return entries.sum();
  }

  public long bytes() {
    return bytes.sum();
  }

  public long emitted() {
    return emitted.sum();
  }

  public long combined() {
    return combined.sum();
  }
}
