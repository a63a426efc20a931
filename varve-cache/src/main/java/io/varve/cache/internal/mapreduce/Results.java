package io.varve.cache.internal.mapreduce;

import java.util.Iterator;
import java.util.Map;

/// Results in flight to the collator: it counts them, notes how long they took to be made, and ends
/// when the job does. Written by the thread that collates, read by any.
///
/// @param <K> the keys
/// @param <R> the results
public final class Results<K, R> implements Iterator<Map.Entry<K, R>> {
  private final Iterator<Map.Entry<K, R>> results;
  private final Runnable check;
  private volatile long count;
  private volatile long nanos;

  /// @param check called for each result; throws if the job has ended
  public Results(Iterator<Map.Entry<K, R>> results, Runnable check) {
    this.results = results;
    this.check = check;
  }

  @Override
  public boolean hasNext() {
    return results.hasNext();
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
  public Map.Entry<K, R> next() {
    check.run();
    long start = System.nanoTime();
    Map.Entry<K, R> result = results.next();
    nanos += System.nanoTime() - start;
    count++;
    return result;
  }

  public long count() {
    return count;
  }

  /// How long all results took so far.
  public long nanos() {
    return nanos;
  }
}
