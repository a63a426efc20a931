package io.varve.cache.internal.mapreduce;

import io.varve.cache.Marshaller;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/// A table in the order of its keys as they are stored.
///
/// @param <K> the keys
/// @param <V> the values
public final class TableRun<K, V> implements SortedRun<K, V> {
  private final WorkerTable<K, V> table;
  private final List<Place> sorted;
  private int current = -1;

  /// Where a key is in the table.
  private record Place(byte[] storedKey, int index) {}

  public TableRun(WorkerTable<K, V> table, Marshaller<K> keys) {
    this.table = table;
    sorted = new ArrayList<>(table.size());
    for (int index = table.next(-1); index >= 0; index = table.next(index)) {
      sorted.add(new Place(RunRecord.storedKey(keys.toBytes(table.key(index))), index));
    }
    sorted.sort((one, other) -> Arrays.compareUnsigned(one.storedKey, other.storedKey));
  }

  @Override
  public boolean next() {
    return ++current < sorted.size();
  }

  @Override
  public byte[] storedKey() {
    return sorted.get(current).storedKey;
  }

  @Override
  public K key() {
    return table.key(sorted.get(current).index);
  }

  @Override
  public Iterator<V> values() {
    return table.values(sorted.get(current).index);
  }
}
