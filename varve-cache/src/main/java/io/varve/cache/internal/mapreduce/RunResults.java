package io.varve.cache.internal.mapreduce;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/// The results of all keys of a run, in their order, each made when it is asked for. For one
/// thread.
///
/// @param <K> the keys
/// @param <V> the values
/// @param <R> the results
public final class RunResults<K, V, R> implements Iterator<Map.Entry<K, R>> {
  private final Plan<?, K, V, R> plan;
  private final SortedRun<K, V> run;
  private boolean hasNext;

  public RunResults(Plan<?, K, V, R> plan, SortedRun<K, V> run) {
    this.plan = plan;
    this.run = run;
    this.hasNext = run.next();
  }

  @Override
  public boolean hasNext() {
    return hasNext;
  }

  @Override
  public Map.Entry<K, R> next() {
    if (!hasNext) {
      throw new NoSuchElementException("no more results");
    }
    K key = run.key();
    R result = plan.reduce(key, run.values());
    hasNext = run.next();
    return Map.entry(key, result);
  }
}
