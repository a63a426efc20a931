package io.varve.cache.mapreduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.PriorityQueue;

/// The results of all keys of some runs, in one pass in the order of the stored keys, each made
/// when it is asked for. For one thread.
///
/// @param <K> the keys
/// @param <V> the values
/// @param <R> the results
final class MergedRuns<K, V, R> implements Iterator<Map.Entry<K, R>> {
  private final Plan<?, K, V, R> plan;
  private final PriorityQueue<SortedRun<K, V>> heads =
      new PriorityQueue<>(
          (one, other) -> Arrays.compareUnsigned(one.storedKey(), other.storedKey()));

  MergedRuns(Plan<?, K, V, R> plan, List<SortedRun<K, V>> runs) {
    this.plan = plan;
    runs.forEach(this::advance);
  }

  private void advance(SortedRun<K, V> run) {
    if (run.next()) {
      heads.add(run);
    }
  }

  @Override
  public boolean hasNext() {
    return !heads.isEmpty();
  }

  @Override
  public Map.Entry<K, R> next() {
    SortedRun<K, V> first = heads.poll();
    if (first == null) {
      throw new NoSuchElementException("no more results");
    }
    List<SortedRun<K, V>> same = new ArrayList<>(List.of(first));
    byte[] storedKey = first.storedKey();
    for (SortedRun<K, V> head = heads.peek();
        head != null && Arrays.equals(storedKey, head.storedKey());
        head = heads.peek()) {
      same.add(heads.remove());
    }
    K key = first.key();
    R result = plan.reduce(key, combined(same));
    same.forEach(this::advance);
    return Map.entry(key, result);
  }

  private Iterator<V> combined(List<SortedRun<K, V>> same) {
    Iterator<V> all = new Values<>(same.iterator());
    if (plan.combiner() == null) {
      return all;
    }
    V value = all.next();
    while (all.hasNext()) {
      value = Objects.requireNonNull(plan.combiner().apply(value, all.next()));
    }
    return Collections.singleton(value).iterator();
  }

  /// The values of the current keys of some runs, one run after the other.
  private static final class Values<K, V> implements Iterator<V> {
    private final Iterator<SortedRun<K, V>> runs;
    private Iterator<V> current = Collections.emptyIterator();

    Values(Iterator<SortedRun<K, V>> runs) {
      this.runs = runs;
    }

    @Override
    public boolean hasNext() {
      while (!current.hasNext() && runs.hasNext()) {
        current = runs.next().values();
      }
      return current.hasNext();
    }

    @Override
    public V next() {
      if (!hasNext()) {
        throw new NoSuchElementException("no more values");
      }
      return current.next();
    }
  }
}
