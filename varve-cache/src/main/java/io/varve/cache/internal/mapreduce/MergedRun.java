package io.varve.cache.internal.mapreduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/// Some runs as one, with the values of equal keys combined.
///
/// @param <K> the keys
/// @param <V> the values
public final class MergedRun<K, V> implements SortedRun<K, V> {
  private final Plan<?, K, V, ?> plan;
  private final PriorityQueue<SortedRun<K, V>> heads =
      new PriorityQueue<>(
          (one, other) -> Arrays.compareUnsigned(one.storedKey(), other.storedKey()));

  /// Those that are at the current key; before the first all.
  private final List<SortedRun<K, V>> current;

  public MergedRun(Plan<?, K, V, ?> plan, List<SortedRun<K, V>> runs) {
    this.plan = plan;
    this.current = new ArrayList<>(runs);
  }

  @Override
  public boolean next() {
    for (SortedRun<K, V> run : current) {
      if (run.next()) {
        heads.add(run);
      }
    }
    current.clear();
    SortedRun<K, V> first = heads.poll();
    if (first == null) {
      return false;
    }
    current.add(first);
    for (SortedRun<K, V> head = heads.peek();
        head != null && Arrays.equals(first.storedKey(), head.storedKey());
        head = heads.peek()) {
      current.add(heads.remove());
    }
    return true;
  }

  @Override
  public byte[] storedKey() {
    return current.getFirst().storedKey();
  }

  @Override
  public K key() {
    return current.getFirst().key();
  }

  /// One value where there is a combiner, otherwise all. To be asked for once for each key.
  @Override
  public Iterator<V> values() {
    Iterator<V> all = new Values<>(current.iterator());
    if (plan.combiner() == null) {
      return all;
    }
    V value = all.next();
    while (all.hasNext()) {
      value = Slot.combined(plan.combiner(), value, all.next());
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
