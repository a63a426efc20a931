package io.varve.cache.internal.mapreduce;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/// The results of all keys of one table, each made when it is asked for. For one thread.
///
/// @param <K> the keys
/// @param <V> the values
/// @param <R> the results
public final class TableResults<K, V, R> implements Iterator<Map.Entry<K, R>> {
  private final Plan<?, K, V, R> plan;
  private final WorkerTable<K, V> table;
  private int next;

  public TableResults(Plan<?, K, V, R> plan, WorkerTable<K, V> table) {
    this.plan = plan;
    this.table = table;
    this.next = table.next(-1);
  }

  @Override
  public boolean hasNext() {
    return next >= 0;
  }

  @Override
  public Map.Entry<K, R> next() {
    if (next < 0) {
      throw new NoSuchElementException("no more results");
    }
    K key = table.key(next);
    R result = plan.reduce(key, table.values(next));
    next = table.next(next);
    return Map.entry(key, result);
  }
}
