package io.varve.cache.mapreduce;

import java.util.Iterator;
import java.util.Map;

/// The results of all keys of one table, each made when it is asked for. For one thread.
///
/// @param <K> the keys
/// @param <V> the values
/// @param <R> the results
final class TableResults<K, V, R> implements Iterator<Map.Entry<K, R>> {
  private final Plan<?, K, V, R> plan;
  private final Iterator<Map.Entry<K, Slot<V>>> entries;

  TableResults(Plan<?, K, V, R> plan, WorkerTable<K, V> table) {
    this.plan = plan;
    this.entries = table.slots().entrySet().iterator();
  }

  @Override
  public boolean hasNext() {
    return entries.hasNext();
  }

  @Override
  public Map.Entry<K, R> next() {
    Map.Entry<K, Slot<V>> entry = entries.next();
    R result = plan.reduce(entry.getKey(), entry.getValue().values());
    return Map.entry(entry.getKey(), result);
  }
}
